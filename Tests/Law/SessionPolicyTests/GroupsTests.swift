import LawWorld
import SessionModel
import SessionPolicy
import Testing

@Suite("Groups")
struct GroupsTests {
  /// Two heard sessions, `a` at the interface and `b` at the headphones.
  private func world() throws -> World {
    var world = try World.stage()
    for id: SessionID in ["a", "b"] {
      try world.create(id, options: .mixWithOthers)
      try world.handle(.stream(id, "main", .sources([.ports(ProgramPorts("\(id):*")!)])))
      try world.handle(.connected(id, true))
      try world.route(id, id == "a" ? "usb" : "headphones")
    }
    return world
  }

  private func members(_ texts: String...) -> GroupEvent {
    .set(.members(texts.compactMap { GroupPattern($0) }))
  }

  private func makeGroup(_ id: GroupID, _ texts: String..., in world: inout World) throws {
    try world.handle(.group(id, .create))
    try world.handle(.group(id, .set(.members(texts.compactMap { GroupPattern($0) }))))
  }

  private func verdict(_ id: SessionID, _ world: World) throws -> Verdict {
    world.state.verdict(of: try #require(world.state.sessions[id]), world.state.activity)
  }

  @Test("Members are named by id or pattern; a group has no groups")
  func patterns() {
    for text in [
      "session:a", "session:iem-*", "stream:a.main", "stream:*.click", "capture:a", "output:usb?", "player:p",
    ] {
      #expect(GroupPattern(text)?.text == text)
    }
    for text in [
      "", "a", "group:a", "session:", "session:A", "stream:a", "session:a.b", "input:mic", "session:a b",
    ] {
      #expect(GroupPattern(text) == nil, "\(text)")
    }
    var group = SoundGroup("g")
    group.setMembers(
      ["session:iem-*", "stream:a.*", "session:iem-*", "output:usb"].compactMap { GroupPattern($0) })
    #expect(group.members.count == 3)
    #expect(
      group.contains(.session("iem-1")) && group.contains(.stream("a", "main"))
        && group.contains(.output("usb")))
    #expect(
      !group.contains(.session("a")) && !group.contains(.capture("iem-1"))
        && !group.contains(.stream("b", "a")))
  }

  @Test("Any muted group mutes its members; without it each is as its own mute says")
  func mute() throws {
    var world = try world()
    try makeGroup("one", "session:a", in: &world)
    try makeGroup("two", "session:*", in: &world)
    #expect(try verdict("a", world) == .heard(at: ["usb"]))
    try world.handle(.session("b", .muted(true)))
    try world.handle(.group("two", .set(.muted(true))))
    try world.handle(.group("one", .set(.muted(true))))
    #expect(try verdict("a", world) == .silent(.group("one")))
    #expect(try verdict("b", world) == .silent(.muted))
    try world.handle(.group("one", .set(.muted(false))))
    #expect(try verdict("a", world) == .silent(.group("two")))
    try world.handle(.group("two", .set(.muted(false))))
    #expect(try verdict("a", world) == .heard(at: ["usb"]))
    #expect(world.state.sessions["b"]?.isMuted == true && world.state.sessions["a"]?.isMuted == false)
  }

  @Test("Why and causes name the group that silences a session, a stream or an output")
  func why() throws {
    for member in ["session:a", "stream:a.main", "output:usb"] {
      var world = try world()
      try makeGroup("band", member, in: &world)
      for event in [GroupSetting.muted(true), .gain(.set(-90))] {
        try world.handle(.group("band", .set(event)))
        let session = try #require(world.state.sessions["a"])
        #expect(try verdict("a", world) == .silent(.group("band")), "\(member)")
        #expect(world.state.why(session, world.state.activity).contains("by group band"), "\(member)")
        #expect(world.state.causesText(session, world.state.activity).contains("by group band"), "\(member)")
        #expect(world.state.stripState(of: .group("band"), world.state.activity) == .muted)
        try world.handle(.group("band", .set(.muted(false))))
      }
    }
  }

  @Test("Causes name a group that makes a session louder or quieter, with the stops where it does")
  func level() throws {
    var world = try world()
    try makeGroup("band", "stream:a.main", "output:usb", in: &world)
    try world.handle(.group("band", .set(.gain(.set(-20)))))
    let session = try #require(world.state.sessions["a"])
    #expect(
      world.state.causesText(session, world.state.activity)
        .contains("group band: -20.0 dB on stream main, output usb"))
    try world.handle(.group("band", .set(.gain(.set(0)))))
    #expect(!world.state.causesText(session, world.state.activity).contains("group band"))
  }

  @Test("A send before the mutes is heard in spite of a muted group")
  func tap() throws {
    var world = try world()
    try makeGroup("band", "session:a", "stream:a.main", in: &world)
    try world.handle(.destination("a", "main", "usb", .tap(.input)))
    try world.handle(.group("band", .set(.muted(true))))
    #expect(try verdict("a", world) == .heard(at: ["usb"]))
  }

  @Test("A gain stays at or below the group's maximum, and a lower maximum brings it down")
  func maximum() throws {
    var world = try world()
    try makeGroup("band", "session:a", in: &world)
    try world.handle(.group("band", .set(.maximum(3))))
    try world.handle(.group("band", .set(.gain(.set(10)))))
    #expect(world.state.groups["band"]?.gain.target == 3)
    try world.handle(.group("band", .set(.maximum(-6))))
    #expect(world.state.groups["band"]?.gain.target == -6)
  }

  @Test("The gains of groups count in the total maximum of an output")
  func totalMaximum() throws {
    var world = try world()
    try makeGroup("band", "stream:a.main", in: &world)
    try world.handle(.port(.output, "usb", .maximumTotal(3)))
    #expect(world.refusal(.group("band", .set(.gain(.set(4))))) == .outOfRange)
    try world.handle(.group("band", .set(.gain(.set(3)))))
    #expect(world.refusal(.session("a", .gain(.set(1)))) == .outOfRange)
    // A member that joins later is brought down by its send.
    try world.handle(.group("band", members("stream:b.main")))
    try world.route("b", "usb")
    #expect(world.state.sessions["b"]?.streams["main"]?.destinations["usb"]?.gain.target == 0)
    try world.handle(.session("a", .gain(.set(2))))
    try world.handle(.group("band", members("stream:a.main")))
    #expect(world.state.sessions["a"]?.streams["main"]?.destinations["usb"]?.gain.target == -2)
  }

  @Test("To unmute one member of an exclusive group mutes the others")
  func exclusive() throws {
    var world = try world()
    try world.create("c", options: .mixWithOthers)
    func open() -> [SessionID] { world.state.sessions.keys { !$0.isMuted } }
    try makeGroup("switch", "session:*", in: &world)
    #expect(open() == ["a", "b", "c"])
    try world.handle(.group("switch", .set(.exclusive(true))))
    #expect(open() == ["a"])
    try world.handle(.session("c", .muted(false)))
    #expect(open() == ["c"])
    // One that comes does not take over.
    try world.create("d", options: .mixWithOthers)
    #expect(open() == ["c"])
    try world.handle(.session("c", .muted(true)))
    #expect(open() == [])
    try world.handle(.row([.stream("a", "main", .muted(true)), .session("b", .gain(.store(0)))]))
    try world.handle(.session("a", .muted(false)))
    #expect(open() == ["a"])
  }

  @Test("A member that does not exist is told with the nearest name, and joins when it comes")
  func absent() throws {
    var world = try world()
    try world.handle(.group("band", .create))
    let told = try world.handle(.group("band", members("session:aa", "session:iem-*", "session:b")))
    #expect(told.count == 1)
    guard case .error(0, "/group/band/members", let error)? = told.first else {
      Issue.record("\(told)")
      return
    }
    #expect(
      error.code == .notFound && error.sentence.contains("session:aa") && error.sentence.contains("session:a")
    )
    try world.handle(.group("band", .set(.muted(true))))
    try world.create("iem-1", options: .mixWithOthers)
    #expect(world.state.isMutedByGroup(.session("iem-1")) && !world.state.isMutedByGroup(.session("a")))
  }

  @Test("Refusals: a second group of a name, one that does not exist, too many groups and members")
  func refusals() throws {
    var world = try world()
    try world.handle(.group("band", .create))
    #expect(world.refusal(.group("band", .create)) == .exists)
    #expect(world.refusal(.group("bend", .remove)) == .notFound)
    #expect(world.refusal(.group("bend", .set(.muted(true)))) == .notFound)
    for number in 1..<RouterState.maximumGroups { try world.handle(.group(GroupID("g\(number)")!, .create)) }
    #expect(world.refusal(.group("more", .create)) == .full)
    let many = (0...SoundGroup.mostMembers).compactMap { GroupPattern("session:s\($0)") }
    #expect(world.refusal(.group("band", .set(.members(many)))) == .full)
  }

  @Test("Banks show groups first, and a strip's lamp is that of a member that is heard")
  func strips() throws {
    var world = try world()
    try makeGroup("band", "session:a", in: &world)
    try world.handle(.router(.strips(.size(1, 2))))
    #expect(world.state.strips.target(of: 1) == .group("band"))
    #expect(world.state.stripState(of: .group("band"), world.state.activity) == .heard)
    try world.handle(.group("band", .remove))
    #expect(world.state.strips.target(of: 1) == .session("a"))
  }

  @Test("64 groups with 1,000 members each are taken, and each member is found")
  func many() throws {
    var world = try World.stage()
    let names = (0..<SoundGroup.mostMembers).compactMap { GroupPattern("session:s\($0)") }
    let duration = try ContinuousClock().measure {
      for number in 0..<RouterState.maximumGroups {
        let id = GroupID("g\(number)")!
        try world.handle(.group(id, .create))
        _ = try world.handle(.group(id, .set(.exclusive(false))))
        var group = SoundGroup(id)
        group.setMembers(names)
        world.state.groups[id] = group
      }
      for number in 0..<100 { try world.create(SessionID("s\(number)")!, options: .mixWithOthers) }
    }
    #expect(world.state.groups(of: .session("s99")).count == RouterState.maximumGroups)
    #expect(duration < .seconds(20), "\(duration)")
  }
}
