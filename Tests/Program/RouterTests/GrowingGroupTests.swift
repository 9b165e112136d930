import MixEngine
import Presets
import SessionModel
import Testing

@testable import Router

/// The members of a group are a pattern, and sessions come and go while a recall fades the group: what is heard, sample by sample.
@Suite("The sound of a group that grows during a recall")
struct GrowingGroupTests {
  private static func preset(_ id: PresetID, _ group: String, _ sessions: [String] = ["mic1", "mic2"]) throws
    -> Preset
  {
    let sessions = sessions.map { session in
      #"\#(session): { category: "multiRoute", active: true, gain: -6, max: 0, streams: { main: { channels: 1, from: ["\#(session):out"], to: { x: 0 } } } }"#
    }.joined(separator: ", ")
    let text =
      #"{ multiroute: 1, ports: { x: { type: "usbAudio", outputs: ["x:out"], channels: 1, ceiling: 0 } }, groups: { mics: { members: ["session:mic*"], \#(group) } }, sessions: { \#(sessions) } }"#
    let source = PresetSource(id: id, file: "\(id).json", bytes: Array(text.utf8))
    let (preset, problems) = PresetReader(policy: Router.law).read(source) { id throws(PresetLibraryError) in
      throw .unknown(id: id.name, folders: [], nearest: nil)
    }
    return try #require(preset, "\(problems)")
  }

  /// A desk on which one preset is in force, and another one begins with a fade of 2 s.
  private func desk(_ first: Preset, _ second: Preset, hearing stream: StreamAddress) throws -> ConstantDesk {
    let desk = ConstantDesk(try Show.state([.server(Show.running)]))
    try desk.recall(first, fade: 0)
    desk.handle(.portsPresent([PortPresence(.output, "x", members: ["x:out"])]))
    for id in desk.state.sessions.keys { desk.handle(.connected(id, true)) }
    desk.play(4_800, stream)
    try desk.recall(second, fade: 2)
    return desk
  }

  private func join(_ id: SessionID, _ desk: ConstantDesk, gain: Double, maximum: Double) {
    for event: Event in [
      .createSession(id, SessionConfiguration(category: .multiRoute, options: .mixWithOthers)),
      .session(id, .activation(.start)), .session(id, .maximum(maximum)), .session(id, .gain(.set(gain))),
      .createStream(id, "main", channels: 1, placed: false),
      .stream(id, "main", .sources([.ports(ProgramPorts("\(id):out")!)])),
      .destination(id, "main", "x", .on(true)), .connected(id, true), .activate(id),
    ] { desk.handle(event) }
  }

  /// The amplitude at output x, from the settings alone.
  private func wanted(_ id: SessionID, _ desk: ConstantDesk) -> Double {
    guard let session = desk.state.sessions[id], let group = desk.state.groups["mics"], !group.isMuted,
      session.isActive
    else { return 0 }
    let gains = [session.gain, group.gain].map { $0.value(at: desk.time, isLevel: true) }
    return Double(Decibels(min(gains[0] + gains[1], session.maximum)).amplitude)
  }

  /// Plays so many seconds and returns the amplitude at output x after each block of 64 frames.
  private func play(_ seconds: Double, _ desk: ConstantDesk, _ stream: StreamAddress) -> [Double] {
    (0..<Int(seconds * 750)).map { _ in
      Double(desk.play(64, stream)[.output("x", 1)] ?? 0) / Double(ConstantDesk.source)
    }
  }

  private static func stream(_ id: SessionID) -> StreamAddress { StreamAddress(session: id, stream: "main") }

  /// The steepest ramp of 20 ms to an amplitude rises by 0.0025 of it from sample to sample.
  private static let steepest = 0.002_5 * ConstantDesk.source

  @Test(
    "Each member is heard at its own gain with the group's present gain, without a step and never above its maximum",
    arguments: [("gain: 6", "gain: -30"), ("gain: -40", "gain: 10")])
  func gain(_ first: String, _ second: String) throws {
    let presets = (try Self.preset("one", first), try Self.preset("two", second))
    for id: SessionID in ["mic1", "mic2", "mic3", "mic4"] {
      let stream = Self.stream(id)
      let desk = try desk(presets.0, presets.1, hearing: stream)
      var most = 0.0
      /// Plays on, and expects the fade after the ramps of what was done before.
      func expectFade(_ seconds: Double) {
        most = play(seconds, desk, stream).reduce(most, max)
        let wanted = wanted(id, desk)
        let heard = play(0.002, desk, stream).last ?? 0
        #expect(abs(heard - wanted) <= 0.02 * wanted + 1e-6, "\(id) at \(desk.time) s: \(heard), \(wanted)")
      }
      expectFade(0.4)
      join("mic3", desk, gain: -3, maximum: -3)
      expectFade(0.05)
      expectFade(0.35)
      desk.handle(.removeSession("mic1"))
      expectFade(0.05)
      join("mic4", desk, gain: -50, maximum: 10)
      for _ in 0..<8 { expectFade(0.05) }
      desk.handle(.removeSession("mic4"))
      desk.handle(.session("mic2", .maximum(-8)))
      for _ in 0..<8 { expectFade(0.1) }
      desk.endRecall()
      expectFade(0.1)
      #expect(!desk.keeper.isSliding)
      #expect(desk.step < Self.steepest, "\(id): \(desk.step)")
      #expect(most <= Double(Decibels(id == "mic3" ? -3 : 0).amplitude) * 1.000_01, "\(id): \(most)")
      #expect(desk.state.sessions.keys == ["mic2", "mic3"])
      // The positive control: all were heard.
      #expect(most > 0.001, "\(id)")
    }
  }

  @Test("A session that joins while a recall mutes its group is silent from its first sample on")
  func mute() throws {
    let presets = (try Self.preset("one", "mute: false"), try Self.preset("two", "mute: true"))
    let desk = try desk(presets.0, presets.1, hearing: Self.stream("mic1"))
    let falling = play(0.5, desk, Self.stream("mic1"))
    #expect(falling.allSatisfy { $0 > 0.1 } && zip(falling, falling.dropFirst()).allSatisfy { $0 >= $1 })
    join("mic3", desk, gain: 0, maximum: 10)
    // The others fall on as if nobody had joined.
    let rest = play(1.6, desk, Self.stream("mic1"))
    #expect(zip(falling + rest, (falling + rest).dropFirst()).allSatisfy { $0 >= $1 } && rest.last == 0)
    desk.endRecall()
    #expect(desk.step < Self.steepest, "\(desk.step)")
    let other = try self.desk(presets.0, presets.1, hearing: Self.stream("mic3"))
    _ = play(0.5, other, Self.stream("mic3"))
    join("mic3", other, gain: 0, maximum: 10)
    #expect(play(2, other, Self.stream("mic3")).allSatisfy { $0 == 0 })
    other.endRecall()
    other.handle(.group("mics", .set(.muted(false))))
    let rising = play(0.1, other, Self.stream("mic3"))
    #expect(zip(rising, rising.dropFirst()).allSatisfy { $0 <= $1 } && abs((rising.last ?? 0) - 1) < 1e-5)
    #expect(other.step < Self.steepest, "\(other.step)")
  }

  @Test("A session that the recall ends falls to the fade's end, while its successor in the pattern rises")
  func succession() throws {
    let presets = (
      try Self.preset("one", "gain: 0"), try Self.preset("two", "gain: -12", ["mic2", "mic9"])
    )
    for id: SessionID in ["mic1", "mic2", "mic9"] {
      let desk = try desk(presets.0, presets.1, hearing: Self.stream(id))
      desk.handle(.connected("mic9", true))
      let first = play(1, desk, Self.stream(id))
      join("mic3", desk, gain: 0, maximum: 10)
      let course = first + play(1.1, desk, Self.stream(id))
      desk.endRecall()
      let end = play(0.1, desk, Self.stream(id)).last ?? -1
      #expect(abs(end - wanted(id, desk)) < 1e-5, "\(id): \(end)")
      #expect(desk.step < Self.steepest, "\(id): \(desk.step)")
      switch id {
      case "mic1": #expect(zip(course, course.dropFirst()).allSatisfy { $0 >= $1 - 1e-6 } && course[700] > 0)
      case "mic9": #expect(course[0] < 0.01 && course[700] > 0.05)
      default: #expect(course[0] > course[700])
      }
    }
  }
}
