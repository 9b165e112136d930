import CLilv
import EffectBlocks
import Effects

/// An effect of a chain, with all copies of its plugin.
///
/// The thread that loads makes it; then the sound thread alone uses it, and allocates nothing.
final class RunningEffect {
  let description: EffectDescription
  /// What was asked for besides values and is not so.
  private(set) var notes: [String] = []
  /// The value of each control by its symbol, before the chain's own values.
  private(set) var base: [String: Float] = [:]
  /// Frames by which the plugin delays the sound.
  private(set) var latency = 0
  private var motions: ControlMotions
  private let copies: [PluginInstance]
  private let events: [EventPorts]
  private let wires: EffectWires
  private let (input, output, side): (ChannelBuffers, ChannelBuffers, ChannelBuffers)
  private let latencyPort: Int?
  private let delay: DryDelay?
  private let dry: ChannelBuffers
  private let values: UnsafeMutablePointer<Float>
  private let unread: UnsafeMutablePointer<Float>
  /// Whether the sound is to go through the plugin.
  private var isOn: Bool
  /// The share of the plugin's sound, 0 to 1; the rest is the sound without it.
  private var wet: Float
  private let step: Float
  /// Where the audio ports are connected, in frames from the beginning of the block.
  private var offset = -1

  /// Loads a plugin and runs it once on silence, because plugins tell their latency in a run.
  ///
  /// - Parameters:
  ///   - input: the sound that comes in; zeros. `output` must be other memory.
  ///   - side: another sound to listen to; without channels if there is none.
  /// - Throws: `PluginError`.
  init(
    _ effect: Effect, place: EffectPlace, input: ChannelBuffers, output: ChannelBuffers, side: ChannelBuffers,
    _ world: PluginWorld, _ host: HostFeatures, _ worker: PluginWorker
  ) throws(PluginError) {
    let plugin = try world.plugin(effect.plugin)
    let ports = world.ports(of: plugin, rate: host.settings.rate)
    let description = world.description(of: plugin, ports)
    let name = description.plugin.name
    if let refusal = description.plugin.refusal { throw .refused(name, because: refusal) }
    let hearsAnother = effect.sideChain != nil
    let wires = EffectWires(ports, input: input, output: output, side: hearsAnother ? side : nil)
    var copies: [PluginInstance] = []
    for _ in wires.copies {
      copies.append(try PluginInstance(plugin, named: name, world, host, worker, place: place))
    }
    (self.description, self.copies, self.wires) = (description, copies, wires)
    (self.input, self.output, self.side) = (input, output, side)
    if let sideChain = effect.sideChain, description.plugin.sideInputs == 0 {
      notes.append("\(name) has no side chain to hear \(sideChain)")
    }
    values = .allocate(capacity: max(1, ports.count))
    values.initialize(repeating: 0, count: max(1, ports.count))
    unread = .allocate(capacity: max(1, ports.count))
    unread.initialize(repeating: 0, count: max(1, ports.count))
    var controls = [EffectControl?](repeating: nil, count: ports.count)
    for control in description.controls {
      controls[control.port] = control
      values[control.port] = control.standard
    }
    motions = ControlMotions(values, controls)
    events = copies.map { EventPorts(ports, $0, host.urids) }
    latencyPort = ports.first { $0.kind == .latency }?.index
    delay = latencyPort == nil ? nil : DryDelay(channels: input.channels)
    dry = latencyPort == nil ? input : ChannelBuffers(channels: input.channels, frames: input.frames)
    (isOn, wet) = (effect.isOn, effect.isOn ? 1 : 0)
    step = 200 / Float(host.settings.rate)
    connectControls(ports)
    try restore(effect, plugin, world, host)
    for copy in copies { copy.activate() }
    try runOnce(frames: host.settings.frames)
  }

  deinit {
    values.deallocate()
    unread.deallocate()
  }

  // MARK: Loading

  private func connectControls(_ ports: [PluginPort]) {
    for (index, copy) in copies.enumerated() {
      for port in ports {
        switch port.kind {
        case .control, .latency, .fixed:
          if case .fixed(let value) = port.kind { values[port.index] = value }
          // All copies have the same controls; what the first one shows is shown.
          copy.connect(port.index, to: (port.isInput || index == 0 ? values : unread) + port.index)
        case .audio where port.isOptional, .voltage, .unknown: copy.connect(port.index, to: nil)
        case .audio, .sideChain, .events: break
        }
      }
    }
  }

  /// Sets the controls: to the plugin's own first state, the preset, and the effect's values.
  private func restore(
    _ effect: Effect, _ plugin: OpaquePointer, _ world: PluginWorld, _ host: HostFeatures
  ) throws(PluginError) {
    var states: [OpaquePointer] = []
    if let first = world.firstState(of: plugin, host) { states.append(first) }
    if let preset = effect.preset {
      states.append(try world.state(of: preset, plugin, named: description.plugin.name, host))
    }
    for state in states {
      for copy in copies { copy.restore(state, set: set) }
      world.calls.lilv_state_free(state)
    }
    base = Dictionary(
      description.controls.map { ($0.symbol, values[$0.port]) }, uniquingKeysWith: { first, _ in first })
    for (symbol, value) in effect.values { set(symbol, value) }
  }

  private func set(_ symbol: String, _ value: Float) {
    guard let control = description.controls.first(where: { $0.symbol == symbol }) else { return }
    values[control.port] = control.accepted(value)
  }

  private func runOnce(frames: Int) throws(PluginError) {
    switch run(frames: frames) {
    case .notFinite: throw .notFinite(description.plugin.name)
    case .tooLate:
      throw .tooLate(
        description.plugin.name, frames: Int(latencyPort.map { values[$0] } ?? 0), most: EffectLimits.latency)
    case nil: break
    }
  }

  // MARK: The sound thread

  func change(_ port: Int?, to value: Float, frames: Int) {
    if let port { motions.move(port, to: value, frames: frames) } else { isOn = value > 0 }
  }

  /// What the plugin shows, by the number of its meter.
  func shown(_ meter: Int) -> Float { values[description.meters[meter].port] }

  /// Processes a block from `input` to `output`. Returns what the plugin did wrong; `output` is then worth nothing.
  func run(frames: Int) -> EffectFault? {
    if motions.wantSteps, wet == 0 { motions.step() }
    wires.mix(input, side, frames: frames)
    var done = 0
    while done < frames {
      var piece = frames - done
      if motions.areMoving {
        piece = min(piece, ControlMotions.piece)
        motions.advance(piece)
      }
      run(from: done, frames: piece)
      done += piece
    }
    if let latencyPort {
      let told = values[latencyPort].rounded()
      guard told >= 0, told <= Float(EffectLimits.latency) else { return .tooLate }
      latency = Int(told)
    }
    for channel in 0..<output.channels where !Self.isFinite(output[channel], frames) { return .notFinite }
    cross(frames: frames)
    return nil
  }

  private func run(from begin: Int, frames: Int) {
    for index in copies.indices {
      let copy = copies[index]
      if begin != offset {
        for wire in wires.copies[index] { copy.connect(wire.port, to: wire.memory + begin) }
      }
      events[index].prepare()
      copy.run(frames: frames)
    }
    offset = begin
  }

  /// Mixes the plugin's sound with the sound that passes by.
  private func cross(frames: Int) {
    let isDelayed = latency > 0
    if isDelayed {
      delay?.pass(input, to: dry, frames: frames, latency: latency)
    } else {
      delay?.forget()
    }
    let target: Float = isOn && !motions.wantSteps ? 1 : 0
    if wet == 1, target == 1 { return }
    var share = wet
    for channel in 0..<output.channels {
      let (sound, other) = (output[channel], isDelayed ? dry[channel] : input[channel])
      share = wet
      for frame in 0..<frames {
        share = target > share ? min(target, share + step) : max(target, share - step)
        sound[frame] =
          share == 0
          ? other[frame] : share == 1 ? sound[frame] : other[frame] + share * (sound[frame] - other[frame])
      }
    }
    wet = share
  }

  private static func isFinite(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) -> Bool {
    var greatest: UInt32 = 0
    for frame in 0..<frames { greatest = max(greatest, samples[frame].bitPattern & 0x7fff_ffff) }
    return greatest < 0x7f80_0000
  }
}
