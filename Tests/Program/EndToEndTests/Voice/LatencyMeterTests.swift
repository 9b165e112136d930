import TestKit
import Testing

/// The latencies that JACK reports through the router, measured by `jack_iodelay`, as a sound engineer measures them.
@Suite struct LatencyMeterTests {
  /// Expects that `jack_iodelay` measures what JACK reports for its ports, within a frame.
  ///
  /// - Parameters:
  ///   - sink: the port to which it plays.
  ///   - source: the port that it hears.
  private func expectTruth(from source: String, to sink: String, _ house: House) throws {
    let meter = try ChildProcess(
      "stdbuf", ["-oL", "jack_iodelay"], environment: ["JACK_DEFAULT_SERVER": house.server.name])
    try house.stage.do("await-port jack_delay:out")
    try house.connect("jack_delay:out", to: sink)
    try house.connect(source, to: "jack_delay:in")
    // The meter tells twice a second what its filters say; they are settled when it tells the same again.
    var (before, measured) = (0.0, -1.0)
    while abs(measured - before) > 0.01 {
      before = measured
      let line = try #require(meter.output.line(containing: "total roundtrip"), "\(meter.output.text)")
      measured = try #require(Double(line.split(separator: " ")[0]), "\(line)")
    }
    let out = try house.stage.value("maximum", of: "latency jack_delay:out playback")
    let back = try house.stage.value("maximum", of: "latency jack_delay:in capture")
    #expect(out + back == 1_300 && abs(measured - out - back) <= 1, "\(measured), reported \(out) + \(back)")
  }

  @Test(
    "Without voice processing the latencies of a session's capture and of its stream are those that jack_iodelay measures",
    arguments: [64, 256])
  func latency(period: Int) async throws {
    let call = try await CallHouse(mode: "default", guest: "silence", period: period)
    let house = call.house
    try house.stage.do("play Desk 1 silence")
    try house.stage.do("cable Desk PA 1300")
    try expectTruth(from: "multiroute:phone.capture_1", to: "PA:playback_1", house)
    try house.stage.do("await-port jack_delay:out gone")
    try expectTruth(from: "Desk:capture_1", to: "multiroute:phone.main_1", house)
  }
}
