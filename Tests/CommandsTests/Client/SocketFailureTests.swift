import OSC
import Testing

@testable import Commands

@Suite("Why OSC cannot be received is said with the right exit code")
struct SocketFailureTests {
  private func binding(at endpoint: Endpoint) -> CommandFailure? {
    do throws(SocketError) {
      _ = try UDPSocket(host: endpoint.host, port: endpoint.port)
      return nil
    } catch {
      return CommandFailure(receivingAt: endpoint, error)
    }
  }

  @Test("A port in use ends with 73 and names the holder")
  func inUse() throws {
    let holder = try UDPSocket(port: 0)
    let failure = try #require(binding(at: Endpoint(host: "127.0.0.1", port: holder.localAddress.port)))
    #expect(failure.exitCode == .portInUse)
    #expect(failure.lines[0].contains("is in use by ") && failure.lines[0].contains("process"))
  }

  @Test("An interface that does not exist ends with 64 and names those there are")
  func unknown() throws {
    let failure = try #require(binding(at: Endpoint(host: "nolan0", port: 0)))
    #expect(failure.exitCode == .usage && failure.lines[0].contains("lo"))
  }

  @Test("What the system does not permit ends with 77")
  func denied() {
    let error = SocketError.system(
      call: "bind", number: 13, address: PeerAddress(host: "127.0.0.1", port: 80))
    #expect(CommandFailure(receivingAt: Endpoint(host: "127.0.0.1", port: 80), error).exitCode == .denied)
  }
}
