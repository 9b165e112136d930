import MixEngine
import MixKernel
import SessionModel
import SessionPolicy
import Testing

@testable import Router

/// Tests the levels at which new stages begin.
@Suite struct FadeEntryTests {
  private func state(_ events: [Event]) throws -> RouterState {
    var state = RouterState()
    let usb = Port(id: "usb", name: "USB", type: .usbAudio, globs: [], channels: 2)
    let here = PortPresence(.output, "usb", members: ["USB:1", "USB:2"])
    let start: [Event] = [
      .declarePort(.output, usb), .portsPresent([here]),
      .createSession("show", SessionConfiguration(category: .multiRoute)),
      .createStream("show", "band", channels: 2, placed: false),
    ]
    for event in start + events { _ = try Policy.reduce(&state, event, at: 0) }
    state.sessions["show"]?.setActive(true)
    return state
  }

  @Test("A stream that gets a route during a fade begins at the present level of the fade, not at its end")
  func inTheMiddle() throws {
    let fade = Event.stream("show", "band", .gain(.set(0, over: 10)))
    let quiet = Event.stream("show", "band", .gain(.set(-90)))
    var keeper = MixKeeper(engine: MixEngine(sampleRate: 48_000), rate: 48_000)
    var liveness = Liveness()
    liveness.outputs = ["usb"]
    liveness.streams = [StreamAddress(session: "show", stream: "band")]
    var handles: [PortKey: PortHandle] = [:]
    func provide(_ ports: [PortKey]) -> [PortKey: PortHandle] {
      for key in ports where handles[key] == nil {
        handles[key] = PortHandle(rawValue: UInt(handles.count + 1))
      }
      return handles
    }
    _ = keeper.update(try state([quiet, fade]), liveness, at: 0, margin: 0, provide: provide)
    let on = Event.destination("show", "band", "usb", .on(true))
    _ = keeper.update(try state([quiet, fade, on]), liveness, at: 5, margin: 0, provide: provide)
    let (ones, heard) = (
      UnsafeMutablePointer<Float>.allocate(capacity: 1_000),
      UnsafeMutablePointer<Float>.allocate(capacity: 1_000)
    )
    defer {
      ones.deallocate()
      heard.deallocate()
    }
    ones.initialize(repeating: 1, count: 1_000)
    keeper.engine.process(
      frames: 1_000, sources: [UnsafePointer(ones), nil], sinks: [heard, nil])
    // Half of the way along the fader's travel of 0.75, and 20 ms more.
    let expected = Decibels(fader: 0.75 * (5 + 1_000 / 48_000.0) / 10).amplitude
    #expect(abs(heard[999] / expected - 1) < 0.01)
  }

  @Test("An output that appears beside others begins silent from the first sample")
  func ineligible() throws {
    let speaker = Port(id: "speaker", name: "Speaker", type: .builtInSpeaker, globs: [], channels: 2)
    let away: [Event] = [
      .declarePort(.output, speaker), .destination("show", "band", "speaker", .on(true)),
    ]
    let come = Event.portsPresent([PortPresence(.output, "speaker", members: ["S:1", "S:2"])])
    let send = SendKey.stream("show", "band", "speaker")
    var liveness = Liveness()
    liveness.outputs = ["usb"]
    #expect(LevelBuilder.levels(of: try state(away), liveness, at: 0)[send]?.target == 1)
    let level = LevelBuilder.levels(of: try state(away + [come]), liveness, at: 0)[send]
    #expect(level?.target == 0 && level?.seconds == 0)
    liveness.outputs = ["usb", "speaker"]
    #expect(LevelBuilder.levels(of: try state(away + [come]), liveness, at: 0)[send]?.seconds == 0.02)
  }
}
