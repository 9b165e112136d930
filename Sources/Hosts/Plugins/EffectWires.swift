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
  /// Memory of the means, and for outputs that nobody hears.
  private let spare: ChannelBuffers

  /// - Parameters:
  ///   - side: another sound; without channels if there is none. The plugin then listens to its own sound.
  init(_ ports: [PluginPort], input: ChannelBuffers, output: ChannelBuffers, side: ChannelBuffers) {
    let channels = input.channels
    func audio(_ isInput: Bool) -> [Int] {
      ports.filter { $0.kind == .audio && !$0.isOptional && $0.isInput == isInput }.map(\.index)
    }
    let (inputs, outputs) = (audio(true), audio(false))
    let sides = ports.filter { $0.kind == .sideChain && $0.isInput }.map(\.index)
    let width = max(inputs.count, outputs.count)
    let count = (channels + width - 1) / width
    spare = ChannelBuffers(channels: count + 1, frames: input.frames)
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
        wires.append(Wire(port: port, memory: side.channels > 0 ? side[min(index, side.channels - 1)] : own))
      }
      copies.append(wires)
    }
  }

  /// Makes the means of a block.
  func mix(_ input: ChannelBuffers, frames: Int) {
    for (first, memory) in means {
      let (left, right) = (input[first], input[first + 1])
      for frame in 0..<frames { memory[frame] = 0.5 * (left[frame] + right[frame]) }
    }
  }
}
