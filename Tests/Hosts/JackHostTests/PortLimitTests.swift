import JackServer
import TestKit
import Testing

@testable import JackClient

@Suite struct PortLimitTests {
  @Test(
    "The arguments of a jackd tell its number of ports",
    arguments: [
      (["/usr/bin/jackd", "-n", "show", "-d", "dummy", "-p", "256"], 2_048),
      (["jackd", "-p", "512", "-ddummy"], 512), (["jackd", "-p512", "-d", "alsa", "-p", "64"], 512),
      (["jackd", "--port-max", "4096", "--driver", "dummy"], 4_096),
      (["jackd", "--port-max=4096", "-r", "-d", "alsa"], 4_096), (["jackdbus", "auto"], 2_048),
      (["/usr/bin/pipewire"], nil), ([], nil), (["jackd", "-p"], 2_048),
    ] as [([String], Int?)])
  func arguments(_ arguments: [String], _ limit: Int?) {
    #expect(PortLimit.inArguments(arguments) == limit)
  }

  @Test("The number of ports of a server that runs is known, and of one that does not run is not")
  func running() async throws {
    let host = try await PrivateServer { $0.portLimit = 300 }
    #expect(host.server.socket.portLimit == 300)
    host.server.stop()
    #expect(host.server.socket.portLimit == nil)
  }
}
