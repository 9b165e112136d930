import MixEngine
import MixKernel
import Presets
import Scenes
import SessionModel
import SessionPolicy

@testable import Router

/// A mix whose engine gets a constant at the sources of one stream and zeros at all others.
final class ConstantDesk {
  /// The samples of the stream, so low that no sum of gains reaches the limiter.
  static let source: Float = 0.02

  var keeper = MixKeeper(engine: MixEngine(sampleRate: 48_000), rate: 48_000)
  var state: RouterState
  var frames = 0
  private var inForce: Preset?
  private var endings: [Ending] = []
  private var handles: [PortKey: PortHandle] = [:]
  private var last: [PortKey: Float] = [:]
  /// The greatest difference between two samples of an output that follow each other.
  private(set) var step: Float = 0
  var time: Double { Double(frames) / 48_000 }

  init(_ state: RouterState) {
    self.state = state
    update()
  }

  private var liveness: Liveness {
    var liveness = Liveness()
    liveness.outputs = Set(state.outputs.keys)
    for session in state.sessions.values {
      liveness.captures.insert(session.id)
      for stream in session.streams.keys {
        liveness.streams.insert(StreamAddress(session: session.id, stream: stream))
      }
    }
    return liveness
  }

  private func provide(_ ports: [PortKey]) -> [PortKey: PortHandle] {
    for key in ports where handles[key] == nil {
      handles[key] = PortHandle(rawValue: UInt(handles.count + 1))
    }
    return handles
  }

  func update() {
    _ = keeper.update(state, liveness, at: time, margin: 0, provide: provide)
  }

  func handle(_ event: Event) {
    _ = try? Policy.reduce(&state, event, at: time)
    update()
  }

  /// Plays some frames in blocks of 64, as a router does. Returns the last sample of each output channel.
  @discardableResult
  func play(_ count: Int, _ wanted: StreamAddress) -> [PortKey: Float] {
    var heard: [PortKey: Float] = [:]
    for _ in 0..<(count + 63) / 64 {
      keeper.slide(at: time)
      if keeper.isFadingOut { _ = keeper.release(at: time, provide: provide) }
      let block = process(64, wanted)
      for (key, samples) in block {
        for sample in samples {
          step = max(step, abs(sample - (last[key] ?? sample)))
          last[key] = sample
        }
      }
      heard = block.compactMapValues(\.last)
      frames += 64
    }
    return heard
  }

  /// Recalls a preset as the router does.
  func recall(_ preset: Preset, fade: Double) throws {
    var recall = Recall(preset, replacing: inForce.map { Predecessor($0, isEarlierVersion: false) })
    (recall.fade, recall.pending) = (fade, endings)
    let outcome = try recall.outcome(of: state, at: time, law: Router.law)
    (state, endings, inForce) = (outcome.state, outcome.endings, preset.inForce(after: inForce))
    _ = keeper.update(state, liveness, at: time, margin: 0, fade: fade, provide: provide)
  }

  /// Ends the fade of the last recall.
  func endRecall() {
    state = Ending.conclude(endings, on: state, at: time, law: Router.law).state
    endings = []
    update()
  }

  /// Forgets the samples heard last, because the next ones are those of another stream.
  func listenElsewhere() { last = [:] }

  private func process(_ frames: Int, _ wanted: StreamAddress) -> [PortKey: [Float]] {
    let (sources, sinks) = (keeper.ports.filter(\.isSource), keeper.ports.filter { !$0.isSource })
    let ones = [Float](repeating: Self.source, count: frames)
    var storage = [Float](repeating: 0, count: max(1, sinks.count * frames))
    ones.withUnsafeBufferPointer { ones in
      storage.withUnsafeMutableBufferPointer { storage in
        keeper.engine.process(
          frames: frames,
          sources: sources.map { key in
            if case .stream(wanted.session, wanted.stream, _) = key { ones.baseAddress } else { nil }
          }, sinks: sinks.indices.map { storage.baseAddress! + $0 * frames })
      }
    }
    var heard: [PortKey: [Float]] = [:]
    for (index, key) in sinks.enumerated() {
      heard[key] = Array(storage[index * frames..<(index + 1) * frames])
    }
    return heard
  }
}
