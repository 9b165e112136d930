import ControlInterface
import OSC
import SessionModel
import Testing

@testable import OSCSurface

/// A server has room for a fixed number of JACK ports.
@Suite("No client takes all JACK ports")
struct PortShareTests {
  /// The desk has 14 ports of devices and four of the sessions show and music.
  private static func desk(limit: Int?) throws -> Desk {
    var desk = try Desk.stage(admission: RightsTests.desk().surface.admission)
    try desk.happen(.session("show", .captureChannels(0)))
    var server = desk.state.server
    server.portLimit = limit
    try desk.happen(.server(server))
    return desk
  }

  /// Creates stereo streams until one is refused, and returns their number and the refusal.
  private static func fill(
    _ desk: inout Desk, _ session: String, from peer: Peer = Desk.me
  ) -> (Int, ErrorCode?, String) {
    for number in 0..<64 {
      let answers = desk.send("/session/\(session)/stream/create", .string("s\(number)"), 2, from: peer)
      if !answers.isEmpty { return (number, answers.errorCode, answers.errors[0].arguments[3].text ?? "") }
    }
    return (64, nil, "")
  }

  @Test("A client takes at most half of the ports that it finds free, and a second client half of the rest")
  func half() throws {
    var desk = try Self.desk(limit: 218)
    let free = try #require(desk.state.freePortCount)
    #expect(free == 218 - desk.state.ownPortCount)
    // The streams of show and music are the client's, too.
    let found = free + 4
    let (count, code, sentence) = Self.fill(&desk, "show")
    #expect(code == .full)
    let taken = 2 * count + 4
    #expect(taken <= found / 2 && taken + 2 > found / 2)
    #expect(
      sentence.hasPrefix(
        "this client would use \(taken + 2) of the \(found) ports that the JACK server has free without it"))
    #expect(desk.state.sessions["show"]?.streams.count == count + 1)
    // A smaller stream in the place of a larger one is no growth.
    #expect(desk.send("/session/show/stream/remove", "s0").isEmpty)
    #expect(desk.send("/session/show/stream/create", "s0", 1).isEmpty)
    // The other client may take half of the rest, which leaves fewer than 64.
    let (more, second, reason) = Self.fill(&desk, "music", from: Desk.other)
    #expect(more > 0 && second == .full)
    #expect(reason.contains("the last 64 stay free for programs"))
    #expect(try #require(desk.state.freePortCount) >= 64)
  }

  @Test("All clients of another host share one half; a bundle and a request count like single messages")
  func host() throws {
    var desk = try Self.desk(limit: 218)
    let neighbour = Desk.remote(RightsTests.mixer.host, 8_001)
    let (_, code, _) = Self.fill(&desk, "show", from: RightsTests.mixer)
    #expect(code == .full)
    #expect(desk.send("/session/music/stream/create", "a", 2, from: neighbour).errorCode == .full)
    let bundle = desk.bundle(
      OSCMessage("/session/music/stream/create", "a", 1), OSCMessage("/session/music/stream/create", "b", 1),
      from: neighbour)
    #expect(bundle.errors.contains { $0.arguments[2] == "full" })
    #expect(desk.state.sessions["music"]?.streams.count == 1)
    let answer = desk.send("/request", 1, "/session/music/stream/create", "a", 2, from: neighbour)
    #expect(answer["/response"]?[1] == .int32(Int32(ErrorCode.full.rawValue)))
    // Removed streams free their ports for the same host.
    #expect(desk.send("/session/show/stream/remove", "s0", from: neighbour).isEmpty)
    #expect(desk.send("/session/music/stream/create", "a", 2, from: neighbour).isEmpty)
  }

  @Test("Without a limit of the server, ports are not counted")
  func unlimited() throws {
    var desk = try Self.desk(limit: nil)
    #expect(desk.state.freePortCount == nil)
    let (count, _, sentence) = Self.fill(&desk, "show")
    #expect(count > 20 && !sentence.contains("ports"), "\(count) \(sentence)")
  }
}
