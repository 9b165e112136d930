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
    try house.expectLatency(1_300, from: "multiroute:phone.capture_1", to: "PA:playback_1")
    try house.stage.do("await-port jack_delay:out gone")
    try house.expectLatency(1_300, from: "Desk:capture_1", to: "multiroute:phone.main_1")
  }
}
