import TestKit
import Testing

/// The latencies that JACK reports through the router, measured by `jack_iodelay`, as a sound engineer measures them.
@Suite struct LatencyMeterTests {
  @Test(
    "Without voice processing the latencies of a session's capture and of its stream are those that jack_iodelay measures",
    arguments: [64, 256])
  func latency(period: Int) async throws {
    let call = try await CallHouse(mode: "default", guest: "silence", period: period)
    let house = call.house
    try house.stage.do("play Desk 1 silence")
    try house.stage.do("cable Desk PA 1300")
    let capture = try house.latency(from: "multiroute:phone.capture_1", to: "PA:playback_1")
    #expect(capture.reported == 1_300 && abs(capture.measured - 1_300) <= 1, "\(capture)")
    try house.stage.do("await-port jack_delay:out gone")
    let stream = try house.latency(from: "Desk:capture_1", to: "multiroute:phone.main_1")
    #expect(stream.reported == 1_300 && abs(stream.measured - 1_300) <= 1, "\(stream)")
  }
}
