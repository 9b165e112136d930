import LawWorld
import SessionModel
import Testing

@Suite("Captures: the sounds in a session's capture")
struct CapturesTests {
  @Test("A capture contains other sessions and inputs, each with its own level, but never its own session")
  func sends() throws {
    var world = try World.stage()
    try world.create("show")
    try world.create("talk", .playback)
    try world.handle(.captureSession("show", "talk", .on(true)))
    try world.handle(.captureSession("show", "talk", .gain(.set(-6))))
    try world.handle(.captureInput("show", "mic", .gain(.set(-3))))
    let capture = try #require(world.state.sessions["show"]?.capture)
    #expect(capture.sessions["talk"]?.isOn == true && capture.sessions["talk"]?.gain.target == -6)
    // Setting a level does not switch the send on.
    #expect(capture.inputs["mic"]?.isOn == false && capture.inputs["mic"]?.gain.target == -3)
    #expect(world.refusal(.captureSession("show", "show", .on(true))) == .badParam)
    #expect(world.refusal(.captureSession("show", "absent", .on(true))) == .notFound)
    #expect(world.refusal(.captureInput("show", "nowhere", .on(true))) == .notFound)
    #expect(world.refusal(.captureSession("talk", "show", .on(true))) == .incompatibleCategory)
  }

  @Test("A send that rests in a session that captures nothing now can be taken back")
  func resting() throws {
    var world = try World.stage()
    try world.create("show")
    try world.create("talk", .playback)
    try world.handle(.captureSession("show", "talk", .on(true)))
    try world.handle(.captureInput("show", "mic", .gain(.set(-3))))
    try world.handle(.configure("show", SessionConfiguration(category: .ambient)))
    #expect(world.refusal(.captureInput("show", "mic", .gain(.set(-6)))) == .incompatibleCategory)
    try world.handle(.captureSession("show", "talk", .on(false)))
    try world.handle(.captureInput("show", "mic", .gain(.set(0))))
    let capture = try #require(world.state.sessions["show"]?.capture)
    #expect(capture.sessions["talk"]?.isOn == false && capture.inputs["mic"]?.gain.target == 0)
  }
}
