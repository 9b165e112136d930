import LawWorld
import SessionModel
import Testing

@testable import SessionPolicy

/// docs/develop/law/categories.md#6-offline-sound
@Suite struct ProcessingTests {
  private static let file = FileProcess(number: 7, input: "in.wav", output: "out.wav")

  private func rig() throws -> Rig {
    var rig = try Rig()
    try rig.play("edit", .audioProcessing)
    return rig
  }

  /// The rig with a job that works.
  private func working() throws -> Rig {
    var rig = try rig()
    #expect(try rig.handle(.process("edit", .began(Self.file))).isEmpty)
    #expect(
      try rig.handle(.process("edit", .started(7))) == [.process("edit", .started, output: "out.wav")])
    return rig
  }

  @Test("A job starts, goes on and is done; one without the session's number changes nothing")
  func steps() throws {
    var rig = try working()
    try rig.handle(.process("edit", .progress(7, 0.5)))
    #expect(rig["edit"].process?.progress == 0.5)
    let before = rig.state
    for event in [ProcessEvent.started(8), .progress(8, 0.7), .done(8), .failed(8, SessionError(.io, "x"))] {
      #expect(try rig.handle(.process("edit", event)).isEmpty)
    }
    #expect(rig.state == before)
    #expect(try rig.handle(.process("edit", .done(7))) == [.process("edit", .done, output: "out.wav")])
    #expect(rig["edit"].process?.progress == 1 && rig.state.processing.isEmpty)
    #expect(try rig.handle(.process("edit", .done(7))).isEmpty)
  }

  @Test("Only an active session of the category audioProcessing has a job, and one at a time")
  func refusals() throws {
    var rig = try rig()
    try rig.play("show")
    func refusal(_ id: SessionID) -> ErrorCode? { rig.world.refusal(.process(id, .began(Self.file))) }
    #expect(refusal("show") == .incompatibleCategory)
    #expect(refusal("absent") == .notFound)
    try rig.handle(.process("edit", .began(Self.file)))
    #expect(refusal("edit") == .isBusy)
    try rig.end("edit")
    #expect(refusal("edit") == .sessionNotActive)
  }

  @Test("A client cancels a job once")
  func cancels() throws {
    var rig = try working()
    #expect(
      try rig.handle(.process("edit", .cancelled)) == [.process("edit", .cancelled, output: "out.wav")])
    #expect(rig["edit"].process?.progress == 0)
    #expect(rig.world.refusal(.process("edit", .cancelled)) == .notFound)
    #expect(rig.world.refusal(.process("absent", .cancelled)) == .notFound)
  }

  @Test("A failed job tells its reason")
  func failure() throws {
    var rig = try working()
    let error = SessionError(.io, "the disk is full")
    #expect(
      try rig.handle(.process("edit", .failed(7, error))) == [
        .process("edit", .failed, output: "out.wav"),
        .error(client: 0, address: "/session/edit/process", error),
      ])
  }

  @Test("The end of the session, its deactivation and another category cancel the job")
  func ends() throws {
    let ends: [Event] = [
      .removeSession("edit"), .deactivate("edit", notifyingOthers: true),
      .configure("edit", SessionConfiguration(category: .playback)),
    ]
    for event in ends {
      var rig = try working()
      let told = try rig.handle(event)
      #expect(told.contains(.process("edit", .cancelled, output: "out.wav")), "\(event)")
      #expect(rig.state.processing.isEmpty)
    }
  }

  @Test("In the background, beside other sessions and after changes of its levels the job goes on")
  func goesOn() throws {
    var rig = try working()
    try rig.handle(.session("edit", .foreground(false)))
    try rig.play("show")
    try rig.play("recorder", .record)
    try rig.handle(.session("edit", .gain(.set(-20))))
    #expect(rig["edit"].isActive && rig["edit"].process?.isPending == true)
  }

  @Test("A call interrupts the session; the job waits for it, and ends only with the session")
  func call() throws {
    var rig = try working()
    try rig.handle(.beginInterruption("phone"))
    #expect(!rig["edit"].isActive && rig["edit"].process?.isPending == true)
    try rig.handle(.endInterruption("phone"))
    #expect(rig["edit"].process?.isPending == true)
    try rig.activate("edit")
    #expect(rig["edit"].process?.isPending == true)
    try rig.handle(.beginInterruption("phone"))
    #expect(try rig.end("edit").contains(.process("edit", .cancelled, output: "out.wav")))
  }

  @Test("why says what a session processes")
  func why() throws {
    var rig = try rig()
    func why() -> String { rig.state.why(rig["edit"], rig.state.activity) }
    #expect(why().contains("/session/edit/process"))
    try rig.handle(.process("edit", .began(Self.file)))
    #expect(why() == "waits to process in.wav into out.wav")
    try rig.handle(.process("edit", .started(7)))
    #expect(why() == "processes in.wav into out.wav")
  }

  // MARK: The world of a file

  private func world(_ rig: Rig) throws(SessionError) -> RouterState {
    try Offline.world(of: "edit", in: rig.state, rate: 44_100, period: 256, at: 0)
  }

  @Test("In the world of a file the session is alone, with its output and the ducks of active duckers")
  func offline() throws {
    var rig = try rig()
    try rig.play("talk", .playback, 3)
    try rig.handle(.port(.output, "spk", .delay(.set(0.5))))
    try rig.handle(.router(.panic(true)))
    let world = try world(rig)
    #expect(world.sessions.keys == ["edit"])
    #expect(world.sessions["edit"]?.route.outputs == ["spk"])
    #expect(world.sessions["edit"]?.ducks.map(\.ducker) == ["talk"])
    #expect(world.outputs["spk"]?.delay.target == 0 && world.server.rate == 44_100)
    #expect(
      world.verdict(of: try #require(world.sessions["edit"]), world.activity)
        == .ducked(at: ["spk"], by: "talk"))
    #expect(rig["edit"].route.outputs.isEmpty && rig["edit"].ducks.isEmpty)
  }

  @Test("A record session and an absent device do not silence a file")
  func silencers() throws {
    var rig = try rig()
    try rig.play("recorder", .record)
    try rig.world.unplug("spk")
    let world = try world(rig)
    #expect(world.sessions["edit"]?.route.outputs == ["spk"])
    #expect(world.isGateOpen(try #require(world.sessions["edit"]), world.activity))
  }

  @Test("A session of which nothing would be heard is refused with the reason")
  func silence() throws {
    for (event, reason) in [
      (Event.session("edit", .muted(true)), "muted by the operator"),
      (.removeStream("edit", "main"), "no stream"),
      (.session("edit", .gain(.set(-90))), "gain is off"),
    ] {
      var rig = try rig()
      try rig.handle(event)
      let error = #expect(throws: SessionError.self) { try world(rig) }
      #expect(error?.code == .resourceNotAvailable && error?.sentence.contains(reason) == true)
    }
  }
}
