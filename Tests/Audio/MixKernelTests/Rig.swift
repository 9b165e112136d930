import Chance
import MixEngine
import MixKernel
import SessionModel

/// An engine with buffers, driven by the test in place of an audio server.
final class Rig {
  let engine: MixEngine
  private(set) var mix = MixStructure()
  /// The next samples of each source; nil is an unconnected port.
  var input: (_ source: Int, _ frame: Int) -> Float? = { _, _ in 1 }
  /// Sinks whose ports have no buffer: their samples stay not a number.
  var gone: Set<Int> = []
  /// All samples of each sink so far.
  private(set) var output: [[Float]] = []
  /// Frames processed.
  private(set) var frame = 0
  /// How often a buffer of a sink was written behind its end.
  private(set) var overruns = 0
  /// Frames behind the end of each buffer that nothing may write.
  private static let behind = 64
  private var revision: UInt32 = 0

  init(_ loops: LoopBuild = .v4) { engine = MixEngine(sampleRate: 48_000, loops: loops) }

  /// Publishes a structure with all its stages at the given levels, or at 1.
  func publish(
    _ mix: MixStructure, _ levels: [StageKey: StageLevel] = [:], treatments: [PortID: Treatment] = [:],
    orders: MediaOrders = MediaOrders()
  ) {
    let count = self.mix.sinks.count
    if count < mix.sinks.count {
      output += Array(repeating: Array(repeating: 0, count: frame), count: mix.sinks.count - count)
    }
    self.mix = mix
    var all = levels
    for key in Self.keys(mix) where all[key] == nil { all[key] = level(1) }
    for (port, treatment) in treatments { all[.outputCeiling(port)] = level(treatment.ceiling) }
    engine.publish(
      structure: mix, levels: all, treatments: treatments.mapValues { OutputTreatment(delay: $0.delay) },
      orders: orders)
  }

  /// Delay in frames and ceiling of an output.
  struct Treatment {
    var delay = 0
    var ceiling: Float = 1
  }

  /// A level with a revision of its own.
  func level(
    _ target: Float, from initial: Float? = nil, _ shape: Ramp.Shape = .raisedCosine, _ frames: Int = 960
  )
    -> StageLevel
  {
    revision += 1
    return StageLevel(target: target, initial: initial, ramp: Ramp(shape, frames: frames), revision: revision)
  }

  /// Publishes a new level of one stage.
  func set(_ key: StageKey, _ target: Float, _ shape: Ramp.Shape = .raisedCosine, _ frames: Int = 960) {
    engine.publish(changing: [key: level(target, shape, frames)])
  }

  private func level(_ target: Float, _ shape: Ramp.Shape, _ frames: Int) -> StageLevel {
    level(target, from: nil, shape, frames)
  }

  /// Processes periods of the given lengths.
  func run(_ periods: [Int]) { for period in periods { run(period) } }

  /// Processes one period.
  func run(_ frames: Int) {
    let sources = mix.sources.indices.map { source -> UnsafeMutablePointer<Float>? in
      guard input(source, frame) != nil else { return nil }
      let buffer = UnsafeMutablePointer<Float>.allocate(capacity: frames)
      for place in 0..<frames { buffer[place] = input(source, frame + place) ?? 0 }
      return buffer
    }
    let sinks = mix.sinks.map { _ in UnsafeMutablePointer<Float>.allocate(capacity: frames + Self.behind) }
    for sink in sinks { sink.initialize(repeating: .nan, count: frames + Self.behind) }
    let buffers = sinks.enumerated().map { gone.contains($0) ? nil : $1 }
    engine.process(frames: frames, sources: sources.map { $0.map { UnsafePointer($0) } }, sinks: buffers)
    for (index, sink) in sinks.enumerated() {
      output[index] += UnsafeBufferPointer(start: sink, count: frames)
      let rest = UnsafeBufferPointer(start: sink + frames, count: Self.behind)
      overruns += rest.contains { !$0.isNaN } ? 1 : 0
    }
    for source in sources { source?.deallocate() }
    for sink in sinks { sink.deallocate() }
    frame += frames
  }

  /// Reads all telemetry records that have arrived.
  func telemetry() -> [TelemetryRecord] {
    var records: [TelemetryRecord] = []
    engine.drainTelemetry { records.append(copy $0) }
    return records
  }

  /// The keys that a structure contains.
  static func keys(_ mix: MixStructure) -> Set<StageKey> {
    Set(
      mix.cells.map(\.stage) + mix.rows.flatMap(\.stages) + mix.sinks.flatMap(\.stages)
        + mix.sinks.flatMap { $0.insert?.stages ?? [] })
  }
}

/// Names and small mixes for the tests.
enum Sample {
  static let session: SessionID = "band"
  static let usb: PortID = "usb"
  static let send = StageKey.crosspoint(0)
  static let gain = StageKey.sessionGain(session)
  static let duck = StageKey.duck(session, usb)
  static let outputGain = StageKey.outputGain(usb)

  /// One source to one channel of one output.
  static let single = MixStructure(
    sources: [.init(.port(PortHandle(rawValue: 1)))],
    sinks: [.init(.port(PortHandle(rawValue: 101)), output: 0, stages: [outputGain])],
    rows: [.init(source: 0, stages: [gain], ducked: session)], cells: [.init(row: 0, sink: 0, stage: send)],
    outputs: [.init(id: usb)])

  /// The stage of one crosspoint of `matrix`.
  static func cell(_ source: Int, _ sink: Int) -> StageKey {
    .crosspoint(1 + source * 1_000 + sink)
  }

  /// Every source to every sink that `isOpen` lets through, each crosspoint with a stage of its own.
  static func matrix(_ sources: Int, _ sinks: Int, isOpen: (Int, Int) -> Bool = { _, _ in true })
    -> MixStructure
  {
    var mix = MixStructure()
    mix.sources = (0..<sources).map { .init(.port(PortHandle(rawValue: UInt($0 + 1)))) }
    mix.sinks = (0..<sinks).map {
      .init(.port(PortHandle(rawValue: UInt($0 + 1_001))), output: 0, stages: [outputGain])
    }
    mix.rows = (0..<sources).map {
      .init(source: $0, stages: [.streamGain(session, Identifier(slugging: "t\($0)"))])
    }
    mix.outputs = [.init(id: usb)]
    for source in 0..<sources {
      for sink in 0..<sinks where isOpen(source, sink) {
        mix.cells.append(.init(row: source, sink: sink, stage: cell(source, sink)))
      }
    }
    return mix
  }
}

/// Noise that depends only on the channel and the frame.
func noise(_ channel: Int, _ frame: Int) -> Float {
  var dice = SeededGenerator(seed: UInt64(channel) << 40 ^ UInt64(frame))
  return Float.random(in: -0.5...0.5, using: &dice)
}
