import SessionModel
import Testing
import ZitaBridges

@testable import Router

@Suite("The programs of bridges")
struct BridgingTests {
  private static let key = BridgeKey(.output, "hall")

  /// A state with a bridge; nil is none.
  private static func state(_ device: String?) throws -> RouterState {
    var state = try Show.state([.server(Show.running)])
    guard let device else { return state }
    var port = Show.port("hall", .avb, ["j2a-hall:*"], channels: 2)
    port.bridge = Bridge(.output, channels: 2, to: .card(Bridge.Card(device: device)))
    state.outputs["hall"] = port
    return state
  }

  @Test("end, or change, as soon as the gate of the port is closed", arguments: [nil, "hw:2"])
  func end(device: String?) throws {
    // No program of that name is found.
    let bridging = Bridging([]) { _, _ in }
    defer { bridging.stop() }
    let (before, after) = (try Self.state("hw:1"), try Self.state(device))
    #expect(bridging.follow(before, server: "none", at: 0, closed: 960).isEmpty)
    #expect(bridging.follow(after, server: "none", at: 1_000, closed: 1_960) == [Self.key: 1_960])
    #expect(bridging.follow(after, server: "none", at: 1_500, closed: 2_460) == [Self.key: 1_960])
    // The program needs a moment to end, in which the gate must not open.
    #expect(bridging.follow(after, server: "none", at: 1_960, closed: 2_920) == [Self.key: 25_960])
    #expect(bridging.follow(after, server: "none", at: 1_961, closed: 2_920).isEmpty)
    #expect(bridging.clients == ["j2a-hall"])
  }

  @Test("go on if their ports come back before the gates are closed, and the ports hear what the programs do")
  func back() throws {
    let bridging = Bridging([]) { _, _ in }
    defer { bridging.stop() }
    bridging.follow(try Self.state("hw:1"), server: "none", at: 0, closed: 960)
    bridging.note(Self.key, .running)
    bridging.follow(try Self.state(nil), server: "none", at: 1_000, closed: 1_960)
    let again = try Self.state("hw:1")
    #expect(bridging.follow(again, server: "none", at: 1_500, closed: 2_460).isEmpty)
    #expect(bridging.untold(to: again).map(\.condition) == [.running])
    bridging.follow(try Self.state(nil), server: "none", at: 2_000, closed: 2_960)
    #expect(bridging.follow(RouterState(), server: "none", at: 2_100, closed: 3_060).count == 1)
  }
}
