import SessionModel
import Testing

@testable import Scenes

/// The members of a group are a pattern, and sessions come and go while a recall fades the group.
@Suite("A group that grows during a recall")
struct GrowingGroupTests {
  private static func scene(_ group: String, _ sessions: [String] = ["mic1", "mic2"]) -> String {
    Evening.text(
      sessions.map { session in
        #"\#(session): { category: "multiRoute", active: true, gain: -6, streams: { main: { to: { usb: 0 } } } }"#
      }.joined(separator: ", "),
      root: #"groups: { mics: { members: ["session:mic*"], \#(group) } },"#)
  }

  /// An evening in which a recall with a fade of 4 s has begun 1 s ago.
  private func evening(from first: String, to second: String) throws -> Evening {
    var evening = try Evening()
    try evening.recall(first)
    try evening.recall(second, fade: 4)
    evening.pass(1)
    return evening
  }

  private func join(_ id: SessionID, _ evening: inout Evening) throws {
    try evening.operate(
      .createSession(id, SessionConfiguration(category: .multiRoute, options: .mixWithOthers)),
      .createStream(id, "main", channels: 2, placed: true), .session(id, .activation(.start)),
      .stream(id, "main", .sources([.ports(ProgramPorts("\(id):*")!)])), .connected(id, true),
      .destination(id, "main", "usb", .on(true)), .activate(id))
  }

  private func verdict(_ id: SessionID, _ evening: Evening) throws -> Verdict {
    evening.state.verdict(of: try #require(evening.state.sessions[id]), evening.state.activity)
  }

  private func members(_ evening: Evening) throws -> [GroupMember] {
    evening.state.members(of: try #require(evening.state.groups["mics"]))
  }

  @Test("has the new session at once, goes on with its fade, and ends where the preset says")
  func gain() throws {
    var evening = try evening(from: Self.scene("gain: 0"), to: Self.scene("gain: -30"))
    let fading = try #require(evening.state.groups["mics"]).gain
    let present = fading.value(at: evening.time, isLevel: true)
    #expect(fading.isFading(at: evening.time) && present < -0.1 && present > -29.9)
    try join("mic3", &evening)
    try join("other", &evening)
    try evening.operate(.session("mic3", .gain(.set(-12))), .removeSession("mic1"))
    #expect(try members(evening) == [.session("mic2"), .session("mic3")])
    #expect(evening.state.groups["mics"]?.gain == fading)
    #expect(evening.state.highestGroupGain(of: .session("mic3"), at: evening.time) == present)
    #expect(evening.state.highestGroupGain(of: .session("other"), at: evening.time) == 0)
    evening.pass(3)
    #expect(evening.state.groups["mics"]?.gain.value(at: evening.time, isLevel: true) == -30)
    #expect(evening.level("mic3") == -12 && evening.level("mic2") == -6)
    #expect(evening.state.sessions.keys == ["mic2", "mic3", "other"])
  }

  @Test("mutes the new session with the others, and opens it with them")
  func mute() throws {
    var evening = try evening(from: Self.scene("mute: false"), to: Self.scene("mute: true"))
    try join("mic3", &evening)
    #expect(try verdict("mic3", evening) == .silent(.group("mics")))
    evening.pass(3)
    #expect(try verdict("mic3", evening) == .silent(.group("mics")))
    try evening.recall(Self.scene("mute: false"), fade: 4)
    try join("mic4", &evening)
    for id: SessionID in ["mic3", "mic4"] { #expect(try verdict(id, evening) == .heard(at: ["usb"])) }
    #expect(evening.state.sessions["mic3"]?.isMuted == false)
  }

  @Test("keeps a session that the recall ends until the fade's end, and lets its successor in")
  func removal() throws {
    var evening = try evening(from: Self.scene("gain: 0"), to: Self.scene("gain: -30", ["mic2", "mic9"]))
    #expect(try members(evening) == [.session("mic1"), .session("mic2"), .session("mic9")])
    // The same name comes back before its fade has ended.
    try evening.operate(.removeSession("mic1"))
    try join("mic1", &evening)
    evening.pass(3)
    #expect(try members(evening) == [.session("mic2"), .session("mic9"), .session("mic1")])
    #expect(evening.state.groups["mics"]?.gain.target == -30)
    #expect(try verdict("mic1", evening) == .heard(at: ["usb"]))
  }

  @Test("lets one member of an exclusive group through, also when one joins")
  func exclusive() throws {
    let scene = { (gain: Int) in
      Self.scene("exclusive: true, gain: \(gain)").replacing("mic2: {", with: "mic2: { mute: true,")
    }
    var evening = try evening(from: scene(0), to: scene(-30))
    try join("mic3", &evening)
    let open = { evening.state.sessions.values.filter { !$0.isMuted }.map(\.id) }
    #expect(open().count == 1)
    evening.pass(3)
    try evening.operate(.session("mic3", .muted(false)))
    #expect(open() == ["mic3"])
  }
}
