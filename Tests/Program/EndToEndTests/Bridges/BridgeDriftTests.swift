import Chance
import TestKit
import Testing

/// The drift of a bridge between two servers whose clocks are one; `make soak` runs it, because the bridge needs a quiet machine to settle.
@Suite(.enabled(if: Soak.isRunning))
struct BridgeDriftSoakTests {
  @Test("After half a minute the drift of a bridge between two clocks of one machine is below 50 ppm")
  func settled() async throws {
    let machines = try await BridgedMachines(farRate: 48_000)
    let ear = try #require(machines.there.stage)
    try ear.do("wait-tone Ear 1 997 -12")
    try ear.do("frames \(30 * 48_000)")
    let drift = try machines.there.surface.number("/input/near/drift")
    #expect(drift != 0 && abs(drift) < 50e-6, "\(drift * 1e6) ppm")
  }
}
