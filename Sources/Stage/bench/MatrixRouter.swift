import Glibc
import JackClient
import JackHost
import MixEngine
import SessionModel

/// The router's client and engine with a matrix of as many inputs as outputs. Each open crosspoint has a gain stage of its own.
final class MatrixRouter {
  static let channels = 64

  private let engine: MixEngine
  private let backend: JackBackend
  private let sends: [StageKey]
  private let period: Int
  private var revision: UInt32 = 1

  /// - Parameters:
  ///   - channels: number of inputs and of outputs; 0 for a router that has nothing to do.
  ///   - isOpen: whether an input is sent to an output.
  /// - Throws: `BenchError` if the server refuses.
  init(
    _ server: BenchServer, name: String, channels: Int = MatrixRouter.channels,
    isOpen: (_ input: Int, _ output: Int) -> Bool = { _, _ in true }
  ) throws(BenchError) {
    period = server.period
    let engine = MixEngine(sampleRate: 48_000)
    self.engine = engine
    var mix = MixStructure(outputs: [.init(id: "usb")])
    do throws(JackError) {
      backend = try JackBackend(name: name, server: server.name)
      try backend.start(engine.kernel)
      for channel in 0..<channels {
        mix.sources.append(.init(.port(try backend.registerPort("in_\(channel + 1)", isInput: true))))
      }
      for channel in 0..<channels {
        let port = try backend.registerPort("out_\(channel + 1)", isInput: false)
        mix.sinks.append(
          .init(.port(port), output: 0, stages: [.outputGain("usb"), .outputMute("usb"), .panic]))
      }
    } catch {
      throw BenchError("\(error)")
    }
    mix.rows = (0..<channels).map { source in
      .init(source: source, stages: [.sessionGate("show"), .sessionGain("show"), .sessionMute("show")])
    }
    for row in 0..<channels {
      for sink in 0..<channels where isOpen(row, sink) {
        mix.cells.append(.init(row: row, sink: sink, stage: .crosspoint(row * channels + sink)))
      }
    }
    sends = mix.cells.map(\.stage)
    let stages = sends + (mix.rows.first?.stages ?? []) + (mix.sinks.first?.stages ?? [])
    engine.publish(
      structure: mix,
      levels: Dictionary(uniqueKeysWithValues: stages.map { ($0, Self.level($0, 0.01, ramp: 1, 1)) }))
  }

  /// Closes the client first: the audio thread must not use the kernel any more when the engine is freed.
  deinit { backend.close() }

  /// Number of gain stages that `ramp` moves.
  var movingStages: Int { sends.count }

  /// Starts a ramp of every crosspoint to another gain.
  func ramp(frames: Int) {
    revision += 1
    let target: Float = revision.isMultiple(of: 2) ? 0.005 : 0.01
    var changes = StageChanges()
    changes.reserveCapacity(sends.count)
    for send in sends { changes.append(send, Self.level(send, target, ramp: frames, revision)) }
    engine.publish(changing: changes)
  }

  private static func level(
    _ stage: StageKey, _ amplitude: Float, ramp frames: Int, _ revision: UInt32
  ) -> StageLevel {
    let target = if case .crosspoint = stage { amplitude } else { Float(1) }
    return StageLevel(
      target: target, initial: target, ramp: Ramp(.raisedCosine, frames: frames), revision: revision)
  }

  /// Reads the telemetry, as the router does, and returns the audio thread's own times in nanoseconds and its number of periods.
  func takeTelemetry() -> SelfMeasure {
    var sum = SelfMeasure()
    engine.drainTelemetry { record in
      sum.adopt += record.adoptNanoseconds
      sum.stages += record.stagesNanoseconds
      sum.sources += record.sourcesNanoseconds
      sum.sinks += record.sinksNanoseconds
      sum.periods += record.periods
    }
    return sum
  }

  var ownTime: OwnTime {
    let (engine, thread) = (engine, pthread_t(backend.audioThread))
    return OwnTime(
      nanoseconds: {
        var (clock, time) = (clockid_t(), timespec())
        guard pthread_getcpuclockid(thread, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
      }, periods: { [period] in engine.framesProcessed / UInt64(period) })
  }
}

/// The audio thread's own measurements, in nanoseconds.
struct SelfMeasure {
  var (adopt, stages, sources, sinks) = (0, 0, 0, 0)
  var periods = 0

  static func += (left: inout Self, right: Self) {
    left.adopt += right.adopt
    left.stages += right.stages
    left.sources += right.sources
    left.sinks += right.sinks
    left.periods += right.periods
  }

  /// The times in microseconds for each period, as text.
  var text: String {
    func share(_ nanoseconds: Int) -> String { (Double(nanoseconds) / Double(max(1, periods)) / 1_000).text }
    return
      "taking plans \(share(adopt)), stages \(share(stages)), sources \(share(sources)), sinks \(share(sinks))"
  }
}
