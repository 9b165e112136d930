import OSC
import TestKit
import Testing

/// The server changes how it runs while sound plays.
@Suite(.repeatedAfterStalls) struct ServerModeTests {
  /// What is heard through the router is compared with what a cable brings to another channel of the same device: where the
  /// server itself breaks the sound, as jackd does while it changes its period, both are broken alike.
  private static let programs = ["source Band 2 ramp", "source Metronome 1 silence"]

  /// Expects that the router changes nothing: not one sample lost, altered, or at another place than by the cable.
  private func expectSame(_ heard: [[Float]]) {
    #expect(heard[0].count > 20_000)
    #expect(heard[0].contains { $0 != 0 })
    #expect(SignalCheck.firstDifference(heard[0], heard[3]) == nil)
  }

  @Test("A period that changes while sound plays costs the router not one sample, and is read back")
  func period() async throws {
    let house = try await House(programs: Self.programs)
    try house.cable()
    try house.surface.subscribe("/event/media")
    let heard = try house.hear(allowingJumps: true) {
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
    // The gain moved in between; without the moves both are the same.
    #expect(heard[0].count == heard[3].count)
    let quiet = try house.hear(allowingJumps: true) {
      for frames in [128, 2048, 256] {
        try house.stage.do("frames 9600")
        try house.stage.do("period \(frames)")
        try house.stage.do("frames 9600")
      }
    }
    expectSame(quiet)
    #expect(try house.surface.takeAll().allSatisfy { $0.address != "/event/media" })
  }

  @Test("Freewheeling, begun and ended while sound plays, costs the router not one sample and no cable")
  func freewheel() async throws {
    let house = try await House(programs: Self.programs)
    try house.cable()
    try house.surface.subscribe("/event/media")
    let cables = try house.stage.names("connections multiroute:to-usb_1")
    let heard = try house.hear(allowingJumps: true) {
      for _ in 0..<3 {
        try house.stage.do("frames 4800")
        try house.freewheel()
        try house.surface.sync()
        #expect(try house.stage.names("connections multiroute:to-usb_1") == cables)
        try house.realTime()
        try house.stage.do("frames 4800")
      }
    }
    expectSame(heard)
    #expect(try house.stage.names("connections multiroute:to-usb_1") == cables)
    #expect(try house.surface.takeAll().allSatisfy { $0.address != "/event/media" })
  }
}
