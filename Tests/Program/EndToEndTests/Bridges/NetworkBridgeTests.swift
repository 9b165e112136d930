import Foundation
import JackServer
import OSC
import TestKit
import Testing

/// Two machines, each with a JACK server and a router, joined by zita-njbridge.
@Suite struct NetworkBridgeTests {
  private let (here, there): (BridgedMachines.Machine, BridgedMachines.Machine)

  init() async throws {
    // Another rate: the machines share no clock.
    let machines = try await BridgedMachines(farRate: 44_100)
    (here, there) = (machines.here, machines.there)
  }

  /// Expects that the near machine's band is heard at the far machine, at its level, once the bridge has adapted to the clocks.
  private func expectHeard() throws {
    let ear = try #require(there.stage)
    for channel in 1...2 { try ear.do("wait-tone Ear \(channel) 997 -12") }
  }

  @Test("Sound of the near machine is heard at the far one, also after either server was killed")
  func servers() throws {
    try expectHeard()
    #expect(try here.surface.text("/output/far/bridge") == "zita-j2n runs")
    #expect(try there.surface.text("/input/near/bridge") == "zita-n2j runs")
    try here.surface.subscribe("/event/*")
    try there.crash()
    try expectHeard()
    // The near machine did not change.
    let told = try here.surface.takeAll().filter(\.isEventOfTheLaw).map(\.address)
    #expect(told.isEmpty, "\(told)")
    try here.crash()
    try expectHeard()
    try here.surface.sync()
    try here.stage?.do("await-connection here:to-far_1 j2n-far:in_1")
    here.leave()
    #expect(here.router.terminate().code == 0)
    _ = there.router.terminate(by: SIGKILL)
    try there.stage?.do("await-port n2j-near:out_1 gone")
    there.leave()
  }
}
