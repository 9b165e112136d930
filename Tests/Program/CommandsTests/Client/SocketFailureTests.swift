import Foundation
import OSC
import Testing

@testable import Commands

@Suite("If OSC cannot be received, the message gives the reason, and the exit code fits")
struct SocketFailureTests {
  private func binding(at endpoint: Endpoint) -> CommandFailure? {
    do throws(SocketError) {
      var listeners = Listeners()
      try listeners.open(endpoint)
      return nil
    } catch {
      return CommandFailure(receivingAt: endpoint, error)
    }
  }

  @Test("A port in use ends with 73, and the message names the program that uses it")
  func inUse() throws {
    let holder = try UDPSocket(port: 0)
    let failure = try #require(binding(at: Endpoint.udp(host: "127.0.0.1", port: holder.localAddress.port)))
    #expect(failure.exitCode == .portInUse)
    #expect(failure.lines[0].contains("is in use by ") && failure.lines[0].contains("process"))
  }

  @Test("A TCP port in use ends with 73, names the program, and the advice is about TCP")
  func tcpInUse() throws {
    let holder = try TCPListener(host: "127.0.0.1", port: 0)
    let failure = try #require(binding(at: .tcp(host: "127.0.0.1", port: holder.localAddress.port)))
    #expect(failure.exitCode == .portInUse)
    #expect(failure.lines[0].contains("TCP port \(holder.localAddress.port) is in use by "))
    #expect(failure.lines[1].hasSuffix("--osc tcp:127.0.0.1:0"), "\(failure.lines)")
  }

  @Test(
    "A Unix socket in use ends with 73 and names the program, and a file that is not a socket ends with 73, too"
  )
  func pathInUse() throws {
    let folder = try TemporaryFolder()
    let holder = try UnixSocket(path: folder.path("desk.osc"))
    let failure = try #require(binding(at: .unix(path: holder.path)))
    #expect(failure.exitCode == .portInUse)
    #expect(failure.lines[0].contains("\(holder.path) is in use by "), "\(failure.lines)")
    #expect(failure.lines[0].contains("(process \(ProcessInfo.processInfo.processIdentifier))"))
    let file = try folder.file("notes.txt", "precious")
    #expect(binding(at: .unix(path: file))?.exitCode == .portInUse)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
  }

  @Test("An unknown interface ends with 64, and the message lists the interfaces")
  func unknown() throws {
    let failure = try #require(binding(at: Endpoint.udp(host: "nolan0", port: 0)))
    #expect(failure.exitCode == .usage && failure.lines[0].contains("lo"))
  }

  @Test("A port that the system does not permit ends with 77")
  func denied() {
    let error = SocketError.system(
      call: "bind", number: 13, address: PeerAddress(host: "127.0.0.1", port: 80))
    #expect(CommandFailure(receivingAt: Endpoint.udp(host: "127.0.0.1", port: 80), error).exitCode == .denied)
  }
}
