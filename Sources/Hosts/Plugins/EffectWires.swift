import Effects

/// Which memory each audio port of each copy of a plugin uses, if a chain has other channels than the plugin.
///
/// A plugin that is narrower than the chain runs several times; the last copy gets the last channel at all inputs that are left over. A plugin
/// that makes two channels of one gets the mean of two.
struct EffectWires {
  struct Wire {
    var port: Int
    var memory: UnsafeMutablePointer<Float>
  }

  /// The wires of each copy.
  private(set) var copies: [[Wire]] = []
  /// Where the mean of two channels goes before each run.
  private(set) var means: [(first: Int, memory: UnsafeMutablePointer<Float>)] = []
  /// The same for the two channels of another sound, if the plugin listens to one for both of its channels.
  private var sideMean: UnsafeMutablePointer<Float>?
  /// Memory of the means, and for outputs that nobody hears.
  private let spare: ChannelBuffers

  /// - Parameters:
  ///   - side: another sound, nil if the plugin listens to its own.
  init(_ ports: [PluginPort], input: ChannelBuffers, output: ChannelBuffers, side: ChannelBuffers?) {
    let channels = input.channels
    func audio(_ isInput: Bool) -> [Int] {
      ports.filter { $0.kind == .audio && !$0.isOptional && $0.isInput == isInput }.map(\.index)
    }
    let (inputs, outputs) = (audio(true), audio(false))
    let sides = ports.filter { $0.kind == .sideChain && $0.isInput }.map(\.index)
    let width = max(inputs.count, outputs.count)
    let count = (channels + width - 1) / width
    spare = ChannelBuffers(channels: count + 2, frames: input.frames)
    if let side, side.channels == 2, sides.count == 1, width > 1 { sideMean = spare[count + 1] }
    for copy in 0..<count {
      let first = copy * width
      var wires: [Wire] = []
      func sound(_ index: Int) -> UnsafeMutablePointer<Float> { input[min(first + index, channels - 1)] }
      let isMean = inputs.count < outputs.count && first + 1 < channels
      if isMean { means.append((first, spare[copy])) }
      for (index, port) in inputs.enumerated() {
        wires.append(Wire(port: port, memory: isMean ? spare[copy] : sound(index)))
      }
      for (index, port) in outputs.enumerated() {
        let isHeard = first + index < channels
        wires.append(Wire(port: port, memory: isHeard ? output[first + index] : spare[count]))
      }
      for (index, port) in sides.enumerated() {
        let own = sound(min(index, inputs.count - 1))
        let other = side.flatMap { $0.channels > 0 ? $0[min(first + index, $0.channels - 1)] : nil }
        wires.append(Wire(port: port, memory: sideMean ?? other ?? own))
      }
      copies.append(wires)
    }
  }

  /// Makes the means of a block.
  func mix(_ input: ChannelBuffers, _ side: ChannelBuffers, frames: Int) {
    for (first, memory) in means { Self.mean(input[first], input[first + 1], to: memory, frames: frames) }
    if let sideMean { Self.mean(side[0], side[1], to: sideMean, frames: frames) }
  }

  private static func mean(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    to memory: UnsafeMutablePointer<Float>, frames: Int
  ) {
    for frame in 0..<frames { memory[frame] = 0.5 * (left[frame] + right[frame]) }
  }
}
