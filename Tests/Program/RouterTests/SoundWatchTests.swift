import ControlInterface
import SessionModel
import Testing

@testable import Router

@Suite struct SoundWatchTests {
  private let quiet = MeterLevels()

  private func sound(_ amplitude: Float, _ session: SessionID = "show") -> MeterLevels {
    var levels = MeterLevels()
    levels.streams[session] = ["band": [0, amplitude]]
    return levels
  }

  /// One session that starts by its signal: above -40 dBFS, and until 0.5 s below.
  private func state(_ more: Event...) throws -> RouterState {
    try Show.standard(
      .session("show", .activation(.signal)), .session("show", .signalThreshold(.set(-40))),
      .session("show", .signalHold(.set(0.5))))
  }

  /// Applies the events as the law does.
  private func following(_ events: [Event], in state: RouterState) -> RouterState {
    var state = state
    for event in events {
      switch event {
      case .sounding(let id, let isSounding): state.sessions[id]?.isSounding = isSounding
      case .signal(let id, let isSignalling): state.sessions[id]?.isSignalling = isSignalling
      default: Issue.record("\(event)")
      }
    }
    return state
  }

  @Test("A session sounds from the first sample above -80 dBFS until a second after the last")
  func sounding() throws {
    var watch = SoundWatch()
    var state = try Show.standard()
    #expect(watch.note(sound(0.9e-4), in: state, at: 0) == [])
    #expect(watch.note(sound(1.1e-4), in: state, at: 1) == [.sounding("show", true)])
    state = following([.sounding("show", true)], in: state)
    #expect(watch.note(sound(0.5), in: state, at: 1.5) == [])
    #expect(watch.note(quiet, in: state, at: 2.4) == [])
    #expect(watch.note(quiet, in: state, at: 2.5) == [.sounding("show", false)])
    state = following([.sounding("show", false)], in: state)
    #expect(watch.note(quiet, in: state, at: 9) == [])
  }

  @Test("A signal begins above the threshold and ends after the hold")
  func signal() throws {
    var watch = SoundWatch()
    var state = try state()
    let below = watch.note(sound(0.009), in: state, at: 0)
    #expect(below == [.sounding("show", true)])
    state = following(below, in: state)
    #expect(watch.note(sound(0.011), in: state, at: 1) == [.signal("show", true)])
    state = following([.signal("show", true)], in: state)
    #expect(watch.note(sound(0.009), in: state, at: 1.4) == [])
    #expect(watch.note(sound(0.02), in: state, at: 1.45) == [])
    #expect(watch.note(sound(0.009), in: state, at: 1.94) == [])
    #expect(watch.note(sound(0.009), in: state, at: 1.95) == [.signal("show", false)])
  }

  @Test("A signal from before a restart ends after the hold, though nothing was heard since")
  func restored() throws {
    var watch = SoundWatch()
    let state = following([.signal("show", true)], in: try state())
    #expect(watch.note(quiet, in: state, at: 3) == [])
    #expect(watch.note(quiet, in: state, at: 3.4) == [])
    #expect(watch.note(quiet, in: state, at: 3.5) == [.signal("show", false)])
  }

  @Test("A session that its signal does not activate has no signal, and a removed session is forgotten")
  func others() throws {
    var watch = SoundWatch()
    let plain = try Show.standard()
    #expect(watch.note(sound(0.5), in: plain, at: 0) == [.sounding("show", true)])
    let signalling = following([.sounding("show", true), .signal("show", true)], in: try state())
    _ = watch.note(sound(0.5), in: signalling, at: 1)
    var changed = signalling
    changed.sessions["show"]?.activation = .manual
    #expect(watch.note(quiet, in: changed, at: 1.1) == [.signal("show", false)])
    changed.sessions["show"] = nil
    #expect(watch.note(quiet, in: changed, at: 9) == [])
  }

  @Test("A stream that is silent for a second is told with the reason, beside one that sounds")
  func streams() throws {
    var watch = SoundWatch()
    let state = try Show.standard(.connected("show", true), .sounding("show", true))
    let live: Set<StreamAddress> = [StreamAddress(session: "show", stream: "band")]
    #expect(watch.note(sound(0.5), connected: live, in: state, at: 0) == [])
    #expect(
      watch.note(sound(0.5), connected: live, in: state, at: 1)
        == [.streamSilence("show", "click", .unconnected)])
    let events = watch.note(
      quiet, connected: live.union([StreamAddress(session: "show", stream: "click")]), in: state, at: 2)
    #expect(events.contains(.streamSilence("show", "band", .quiet)))
    #expect(events.contains(.streamSilence("show", "click", .quiet)))
    let silent = try Show.state([.streamSilence("show", "band", .quiet)], from: state)
    #expect(
      watch.note(sound(0.5), connected: live, in: silent, at: 3).contains(.streamSilence("show", "band", nil))
    )
  }

  @Test("A session sounds if a device input feeds it, as it does if its own port is fed")
  func inputs() throws {
    let state = try Show.standard(
      .stream("show", "band", .sources([.input("mic", channels: nil)])),
      .stream("show", "click", .sources([.input("mic", channels: 1...1)])))
    var levels = MeterLevels()
    levels.inputs["mic"] = [0.25]
    levels.streams["show"] = ["band": [0.5, 0.125]]
    levels.addInputs(to: state.sessions, from: state.inputs)
    // A single channel feeds all channels of a stream.
    #expect(levels.streams["show"] == ["band": [0.5, 0.25], "click": [0.25]])
  }
}
