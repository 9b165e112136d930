import JackServer
import OSC
import TestKit
import Testing

/// The scenario in which the server dies. It has a server of its own.
@Suite struct ServerLossScenario {
  /// The events of each session about media services, and all other events, in order.
  private static func media(_ messages: [OSCMessage]) -> [String] {
    messages.filter { $0.address == "/event/media" }.compactMap { $0.arguments.last?.text }
  }

  @Test(
    "A92: the server stops, what needs it is refused, it starts; both sessions are inactive, configured and silent until activated"
  )
  func a92() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    func stage() throws -> StageProcess {
      let stage = try server.stage()
      for command in House.devices + ["source Program-a 1 sine 500 -20", "source Program-b 1 sine 1100 -20"] {
        try stage.do(command)
      }
      return stage
    }
    var present: StageProcess? = try stage()
    let router = try RouterProcess(
      preset: folder.write(House.preset(""), to: "empty.json"), server: server.name, in: folder)
    let surface = try ControlSurface(port: router.port)
    try surface.subscribe("/event/*")
    for id in ["a", "b"] {
      try surface.send("/session/create", .string(id), "playback", "default", "mixWithOthers")
      try surface.send("/session/\(id)/stream/main/from", .string("Program-\(id):out_1"))
      try surface.send("/session/\(id)/active", 1)
    }
    try present?.do("wait-signal \"USB Interface\" 1 -25")
    let leaves = ["category", "mode", "options", "gain", "stream/main/from", "stream/main/gain"]
    func settings() throws -> [OSCArgument] {
      try ["a", "b"].flatMap { id in try leaves.map { try surface.value("/session/\(id)/\($0)") } }
    }
    let configured = try settings()
    let route = try surface.text("/session/a/route")
    _ = try surface.takeAll()

    server.server.stop()
    try surface.wait(for: "/event/media")
    present = nil
    for id in ["a", "b"] {
      let refusal = #expect(throws: ControlSurface.Refusal.self) {
        try surface.send("/session/\(id)/active", 1)
      }
      #expect(refusal?.code == 1_836_282_486 && refusal?.symbol == "msrv")
      #expect(try surface.number("/session/\(id)/active") == 0)
      // Commands that need no server are accepted, and take effect later.
      try surface.send("/session/\(id)/mute", 1)
      try surface.send("/session/\(id)/mute", 0)
      try surface.send("/session/\(id)/category", "ambient")
      try surface.send("/session/\(id)/set", "playback", "default", "mixWithOthers")
    }
    let meanwhile = try surface.takeAll()
    #expect(Self.media(meanwhile).isEmpty, "lost is told once")
    for id in ["a", "b"] {
      let told = meanwhile.filter { $0.address == "/event/active" && $0.arguments[1].text == id }
      #expect(told.map { Array($0.arguments.dropFirst(2)) } == [[0, "system"]], "\(id)")
    }

    try server.server.start()
    #expect(try surface.event("media") == ["reset"])
    let next = try stage()
    for id in ["a", "b"] { try next.do("await-connection Program-\(id):out_1 multiroute:\(id).main_1") }
    try next.do("frames 24000")
    #expect(try settings() == configured)
    #expect(try next.value("peak", of: "level \"USB Interface\" 1 0.2") < -100)
    let after = try surface.takeAll()
    #expect(Self.media(after).isEmpty, "reset is told once")
    #expect(after.allSatisfy { $0.address != "/event/active" }, "no session becomes active by itself")
    try surface.send("/session/a/active", 1)
    // Devices that return with the server count as present all the time, so none was plugged in last.
    #expect(try surface.text("/session/a/route") == route)
    try next.do("wait-signal \"USB Interface\" 1 -25")
    try next.do("frames 9600")
    let levels = try next.do("tones 0.1 500,1100 \"USB Interface\"").split(separator: " ")[0].split(
      separator: ",")
    #expect(abs((Double(levels[0]) ?? 0) + 20) < 0.5 && (Double(levels[1]) ?? 0) < -80, "\(levels)")
  }

  @Test("Sessions that start by themselves do so in the order of the preset, before any command")
  func order() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    func session(_ id: String, _ keys: String) -> String {
      "\"\(id)\": { \"category\": \"playback\", \"options\": [\"mixWithOthers\"], \(keys), \"streams\": { \"main\": { \"channels\": 1 } } }"
    }
    let preset = House.preset(
      [
        session("zebra", "\"activate\": \"start\""),
        session("manual", "\"activate\": \"manual\", \"resume\": \"recommended\""),
        session("always", "\"activate\": \"manual\", \"resume\": \"always\""),
        session("alpha", "\"activate\": \"start\""),
      ].joined(separator: ",\n"))
    let router = try RouterProcess(
      preset: folder.write(preset, to: "order.json"), server: server.name, in: folder)
    let surface = try ControlSurface(port: router.port)
    try surface.subscribe("/event/*")
    for id in ["manual", "always"] { try surface.send("/session/\(id)/active", 1) }
    server.server.kill()
    #expect(try surface.event("media") == ["lost"])
    _ = try surface.takeAll()
    try server.server.start()
    #expect(try surface.event("media") == ["reset"])
    let told = try surface.takeAll().filter { $0.address == "/event/active" }
    #expect(told.compactMap { $0.arguments[1].text } == ["zebra", "always", "alpha"])
    #expect(told.allSatisfy { Array($0.arguments.dropFirst(2)) == [1, "system"] })
  }
}
