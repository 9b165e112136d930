import ControlInterface
import OSC
import SessionModel
import Testing

@testable import OSCSurface

/// What the sender of a packet over a limit is told.
@Suite struct LimitTests {
  private static func peer(_ host: UInt8, port: UInt32 = 9_000, _ transport: String = "udp") -> Peer {
    Peer(
      transport: Transport(transport, hasPorts: true, isStream: transport == "tcp"),
      host: HostAddress("192.168.1.\(host)")!, endpoint: port)
  }

  @Test(
    "The error names the limit of the transport",
    arguments: [
      (OSCDecodeError.oversize, "udp", "more than 8192 bytes"),
      (.oversize, "tcp", "more than 65536 bytes"), (.tooManyMessages, "udp", "more than 256 messages"),
      (.tooDeep, "udp", "more than 8 deep"), (.tooManyArguments, "udp", "more than 64 arguments"),
    ])
  func sentences(_ failure: OSCDecodeError, _ transport: String, _ words: String) throws {
    let message = LimitErrors().message(for: failure, of: Self.peer(1, transport), at: 0)
    let arguments = try #require(message).arguments
    #expect(message?.address == "/error" && arguments[0] == "" && arguments[2] == "full")
    #expect(arguments[3].text?.contains(words) == true, "\(arguments)")
  }

  @Test("Each host is told once a second, from whatever port it sends")
  func pace() {
    let errors = LimitErrors()
    func isTold(_ peer: Peer, at time: Double) -> Bool {
      errors.message(for: .oversize, of: peer, at: time) != nil
    }
    #expect(isTold(Self.peer(1), at: 5))
    #expect(!isTold(Self.peer(1, port: 9_001), at: 5.9))
    #expect(isTold(Self.peer(2), at: 5.9))
    #expect(isTold(Self.peer(1, port: 9_001), at: 6))
    // More hosts than are remembered are told, and fill no memory.
    for host in UInt8.min...UInt8.max { #expect(isTold(Self.peer(host), at: 10)) }
  }

  @Test(
    "A packet that is no OSC gets no answer",
    arguments: OSCDecodeError.allCases.filter {
      ![.oversize, .tooManyMessages, .tooDeep, .tooManyArguments].contains($0)
    })
  func malformed(_ failure: OSCDecodeError) {
    #expect(LimitErrors().message(for: failure, of: Self.peer(1), at: 0) == nil)
  }
}
