import OSC
import TestKit
import Testing

/// The server changes its period, or freewheels, while sound plays.
@Suite struct ServerModeTests {
  /// The sound through the router is compared with that of a direct connection to another channel of the same device. Where the
  /// server itself breaks the sound, as jackd does while it changes its period, both are broken alike.
  private static let programs = ["source Band 2 ramp", "source Metronome 1 silence"]

  /// Expects that the router passes the sound unchanged: every sample equals that of the direct connection, at the same frame.
  private func expectSame(_ heard: DeviceSound) {
    #expect(heard[0].count > 20_000)
    #expect(heard[0].contains { $0 != 0 })
    #expect(SignalCheck.firstDifference(heard[0], heard[3]) == nil)
  }

  @Test("A change of period while sound plays costs not one sample, and the router reports the new period")
  func period() async throws {
    let house = try await House(programs: Self.programs)
    try house.connect()
    try house.surface.subscribe("/event/media")
    let heard = try house.hear(clock: .changed) {
      for frames in [64, 1024, 37, 512] {
        try house.stage.do("frames 9600")
        try house.stage.do("period \(frames)")
        try house.surface.send("/session/show/gain", -6)
        try house.surface.send("/session/show/gain", 0)
        try house.stage.do("frames 9600")
        let report = try house.surface.send("/system/info")
        let index = try #require(report.firstIndex { $0.text == "period" })
        #expect(report[index + 1] == .int32(Int32(frames)))
      }
    }
    // The gain moved during the change. Without these moves both sounds are equal.
    #expect(heard[0].count == heard[3].count)
    let quiet = try house.hear(clock: .changed) {
      for frames in [128, 2048, 256] {
        try house.stage.do("frames 9600")
        try house.stage.do("period \(frames)")
        try house.stage.do("frames 9600")
      }
    }
    expectSame(quiet)
    #expect(try house.surface.takeAll().allSatisfy { $0.address != "/event/media" })
  }

  @Test("Freewheel that begins and ends while sound plays costs not one sample and no connection")
  func freewheel() async throws {
    let house = try await House(programs: Self.programs)
    try house.connect()
    try house.surface.subscribe("/event/media")
    let connections = try house.stage.names("connections multiroute:to-usb_1")
    let heard = try house.hear(clock: .changed) {
      for _ in 0..<3 {
        try house.stage.do("frames 4800")
        try house.freewheel()
        try house.surface.sync()
        #expect(try house.stage.names("connections multiroute:to-usb_1") == connections)
        try house.realTime()
        try house.stage.do("frames 4800")
      }
    }
    expectSame(heard)
    #expect(try house.stage.names("connections multiroute:to-usb_1") == connections)
    #expect(try house.surface.takeAll().allSatisfy { $0.address != "/event/media" })
  }
}
