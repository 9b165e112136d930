import OSC
import TestKit
import Testing

/// Two programs want the cables of one port for themselves.
@Suite struct ContestTests {
  @Test(
    "Two routers with exclusive streams from one program end their fight: one has the program, the other says which one"
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
      preset: house.folder.write(sessions("speaker"), to: "second.json"), server: house.server.name,
      in: try TemporaryFolder(), flags: ["--name", "second"], owners: [house.stage, house.server])
    let other = try ControlSurface(port: second.port)
    func loser() throws -> (surface: ControlSurface, winner: String)? {
      for (surface, winner) in [(house.surface, "second"), (other, "multiroute")] {
        if try surface.text("/session/show/why").contains(
          "\(winner) changes the cables of Band:out_1 again and again")
        {
          return (surface, winner)
        }
      }
      return nil
    }
    let found = try house.stage.ask(loser) { $0 != nil }
    let (surface, winner) = try #require(found)
    let cables = ["\(winner):show.band_1"]
    _ = try house.stage.ask({ try house.stage.names("connections Band:out_1") }) { $0 == cables }
    for _ in 0..<20 {
      try house.stage.do("frames 4800")
      #expect(try house.stage.names("connections Band:out_1") == cables)
    }
    _ = try house.stage.ask({ try surface.value("/health/contested/on") }) { $0 == 1 }
    #expect(try surface.text("/health/state").contains("end \(winner)"))
    // When the other router is gone, the program is heard here again.
    if winner == "second" {
      #expect(second.terminate().code == 0)
      try house.stage.do("await-connection Band:out_1 multiroute:show.band_1")
    } else {
      #expect(house.router.terminate().code == 0)
      try house.stage.do("await-connection Band:out_1 second:show.band_1")
    }
  }
}
