import OSC
import TestKit
import Testing

/// Two programs want the cables of one port for themselves.
@Suite struct ContestTests {
  @Test(
    "Two routers with exclusive streams from one program end their fight: the first by name has the program, and the other says so"
  )
  func routers() async throws {
    let sessions = { (output: String) in
      House.preset(
        """
        "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
          "band": { "channels": 2, "from": ["Band:out_*"], "exclusive": true, "to": { "\(output)": 0 } } } }
        """)
    }
    let house = try await House(sessions("usb"), programs: ["source Band 2 ramp"])
    try house.stage.do("await-connection Band:out_2 multiroute:show.band_2")
    let second = try RouterProcess(
      preset: house.folder.write(sessions("headphones"), to: "second.json"), server: house.server.name,
      in: try TemporaryFolder(), flags: ["--name", "second"], owners: [house.stage, house.server])
    let other = try ControlSurface(port: second.port)
    // The router whose name comes first keeps the program.
    _ = try house.stage.ask({ try other.text("/session/show/why") }) {
      $0.contains("multiroute changes the cables of Band:out_1 again and again")
    }
    // An order that the other router gave before it yielded may still be carried out, and is the last one: then nothing moves for two seconds.
    let cables = ["multiroute:show.band_1"]
    var quiet = 0
    let end = try house.stage.ask({
      quiet = try house.stage.names("connections Band:out_1") == cables ? quiet + 1 : 0
      return quiet
    }) { $0 == 90 }
    #expect(end == 90)
    _ = try house.stage.ask({ try other.value("/health/contested/on") }) { $0 == 1 }
    #expect(try other.text("/health/state").contains("end multiroute"))
    #expect(try house.surface.value("/health/contested/on") == 0)
    // When the other router is gone, the program is heard here again.
    #expect(house.router.terminate().code == 0)
    for channel in 1...2 {
      try house.stage.do("await-connection Band:out_\(channel) second:show.band_\(channel)")
    }
  }
}
