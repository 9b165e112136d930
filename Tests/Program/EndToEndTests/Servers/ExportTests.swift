import Chance
import OSC
import TestKit
import Testing

/// Another program exports: it makes the server freewheel, which sets the connections of the sound card aside meanwhile.
@Suite struct ExportTests {
  /// The band goes to the sound card of the server and to the USB interface.
  private static let show = House.preset(
    """
    "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "connected", "streams": {
      "band": { "channels": 2, "from": ["Band:out_*"], "to": { "card": 0, "usb:1-2": 0 } },
      "click": { "channels": 1, "from": ["Metronome:out_*"], "to": { "headphones": 0 } } } }
    """
  ).replacing(
    "\"ports\": {",
    with:
      "\"ports\": { \"card\": { \"type\": \"lineOut\", \"outputs\": [\"system:playback_*\"], \"ceiling\": 0 },"
  )

  @Test("An export is no event of the show: it says so, changes no cable, ends no session and is not heard")
  func exports() async throws { try await export(times: 2) }

  @Test(
    "Ten exports in a row leave everything as it was",
    .enabled(if: Soak.isRunning))
  func manyExports() async throws { try await export(times: 10) }

  @Test(
    "An export whose program crashes leaves the show as it was, although jackd waits 10 s for the program",
    .enabled(if: Soak.isRunning))
  func crash() async throws {
    let house = try await self.house()
    let (stage, surface) = (house.stage, house.surface)
    let export = try StageProcess(server: house.server.name, clientName: "export", owner: house.server)
    try export.do("freewheel on")
    try stage.do("frames 20000")
    #expect(try surface.send("/system/info").contains(.string("freewheel")))
    export.crash()
    // A server may go on freewheeling without the program that asked for it; another one ends that.
    try stage.do("freewheel off")
    try stage.do("frames 2048")
    #expect(try !surface.send("/system/info").contains(.string("freewheel")))
    #expect(try stage.names("connections multiroute:to-card_1") == ["system:playback_1"])
    #expect(try stage.names("connections Band:out_1").contains("multiroute:show.band_1"))
    try surface.sync()
    let told = surface.takeInbox().map(\.address)
    #expect(
      told.allSatisfy { !["/event/media", "/event/session", "/event/route"].contains($0) }, "\(told)")
  }

  /// A show that is heard at the sound card, too, and a surface that gets its events.
  private func house() async throws -> House {
    let house = try await House(Self.show, systemOutputs: 2)
    try house.connect()
    try house.stage.do("await-connection multiroute:to-card_2 system:playback_2")
    try house.surface.send("/subscribe", "/event", 60.0)
    try house.surface.sync()
    _ = house.surface.takeInbox()
    return house
  }

  private func export(times: Int) async throws {
    let house = try await self.house()
    let (stage, surface) = (house.stage, house.surface)
    for number in 1...times {
      let usb = try house.hear(clock: .changed) {
        try stage.do("freewheel on")
        try stage.do("frames 20000")
        #expect(try surface.send("/system/info").contains(.string("freewheel")), "export \(number)")
        // An operator may work on the show meanwhile.
        try surface.send("/session/show/stream/click/mute", .int32(Int32(number % 2)))
        try stage.do("freewheel off")
        try stage.do("frames 2048")
      }
      #expect(SignalCheck.firstDifference(usb[0], usb[3]) == nil, "export \(number)")
      #expect(try stage.names("connections multiroute:to-card_1") == ["system:playback_1"])
      #expect(try stage.names("connections Band:out_1").contains("multiroute:show.band_1"))
      #expect(try !surface.send("/system/info").contains(.string("freewheel")))
    }
    try surface.sync()
    // A busy machine raises alarms of its own.
    let ofMachine: [OSCArgument] = [.string("load"), .string("xruns")]
    let told = surface.takeInbox().filter { message in
      ["/event/media", "/event/session", "/event/route", "/event/health"].contains(message.address)
        && !(message.address == "/event/health" && message.arguments.first.map(ofMachine.contains) == true)
    }
    #expect(told.isEmpty)
  }
}
