import OSC
import TestKit
import Testing

/// The server changes its period, or freewheels, while sound plays.
@Suite struct ServerModeTests {
  /// The sound through the router is compared with that of a direct connection to another channel of the same device. Where the
  /// server itself breaks the sound, as jackd does while it changes its period, both are broken alike.
  private static let programs = ["source Band 2 ramp", "source Metronome 1 silence"]

  /// Expects that the router passes the sound unchanged: every sample equals that of the direct connection, at the same frame.
  ///
  /// A machine that gets no processor for a while may miss a period at one of the two. Then the server reports an xrun, and so many
  /// frames may differ as its longest period has.
  private func expectSame(_ heard: DeviceSound, xruns: Int = 0, period: Int = 0) {
    #expect(heard[0].count > 20_000 && heard[0].count == heard[3].count)
    #expect(heard[0].contains { $0 != 0 })
    guard let first = SignalCheck.firstDifference(heard[0], heard[3]) else { return }
    let different = zip(heard[0], heard[3]).count { $0 != $1 }
    #expect(different <= xruns * period, "frame \(first) and \(different - 1) others differ, \(xruns) xruns")
    TestNotes.excuse("\(different) frames from frame \(first), during \(xruns) xruns")
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
    let periods = [128, 2048, 256]
    let before = try house.surface.counters()
    let quiet = try house.hear(clock: .changed) {
      for frames in periods {
        try house.stage.do("frames 9600")
        try house.stage.do("period \(frames)")
        try house.stage.do("frames 9600")
      }
    }
    let xruns = try #require(house.surface.counters()["xruns"]) - #require(before["xruns"])
    expectSame(quiet, xruns: xruns, period: periods.max() ?? 0)
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
