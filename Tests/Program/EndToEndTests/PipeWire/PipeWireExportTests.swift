import OSC
import TestKit
import Testing

/// A program at PipeWire exports: it plays into the router and makes the server freewheel.
@Suite struct PipeWireExportTests {
  @Test("An export is told, changes no cable and ends no session, and the show goes on")
  func exports() async throws {
    let rack = try await Rack.band()
    let (stage, surface) = (rack.stage, rack.surface)
    let cables = try stage.names("connections Band:out_1")
    try surface.subscribe("/event/*")
    for _ in 1...2 {
      try stage.do("freewheel on Band")
      try expect(freewheel: true, surface)
      try stage.do("freewheel off Band")
      try expect(freewheel: false, surface)
      try rack.awaitSound(at: 1...2)
      #expect(try abs(rack.tone(997, at: 1) + 12) < 0.01)
      #expect(try stage.names("connections Band:out_1") == cables)
    }
    let told = try surface.takeAll().map(\.address)
    #expect(
      told.allSatisfy { !["/event/media", "/event/session", "/event/route", "/event/port"].contains($0) },
      "\(told)")
  }

  /// Waits until the router says, or no longer says, that the server freewheels.
  private func expect(freewheel: Bool, _ surface: ControlSurface) throws {
    let end = ContinuousClock.now + .seconds(ControlSurface.patience)
    while try surface.send("/system/info").contains(.string("freewheel")) != freewheel {
      try #require(.now < end, "freewheel \(freewheel)")
    }
  }
}
