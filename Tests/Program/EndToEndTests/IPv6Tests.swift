import Foundation
import OSC
import TestKit
import Testing

/// A running router at IPv6 addresses.
@Suite struct IPv6Tests {
  @Test("Commands, feedback, names of clients and metrics work over IPv6, beside IPv4 at the same port")
  func everything() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let panel = try UDPSocket(host: "::1", port: 0)
    let file = try folder.write(
      """
      { "multiroute": 1, "surfaces": [
        { "name": "wall", "host": "::1", "port": \(panel.localAddress.port), "subscriptions": ["/ramp"] } ] }
      """, to: "config.json")
    let first = try UDPSocket(host: "::1", port: 0)
    let port = first.localAddress.port
    _ = consume first
    let router = try RouterProcess(
      preset: nil, server: server.name, in: folder,
      flags: [
        "--config", file, "--osc", "127.0.0.1:\(port)", "--osc", "[::1]:\(port)", "--osc", "tcp:[::1]:0",
        "--metrics", "[::1]:0", "--log", "debug",
      ], owners: [server])
    #expect(
      router.child.errors.text.contains(" osc=127.0.0.1:\(port),[::1]:\(port),tcp:[::1]:\(router.tcpPort),"))
    #expect(!router.child.errors.text.contains("open to the network"))
    for place in ["[::1]:\(port)", "tcp:[::1]:\(router.tcpPort)", "127.0.0.1:\(port)"] {
      #expect(try Program.run(["send", "/ramp", "0.25", "--to", place], in: folder).output == "0.25")
      #expect(try Program.run(["status", "--to", place], in: folder).code == 0)
    }
    // The surface of the configuration has said nothing, and hears the first socket of its family.
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let sender = try buffer.withUnsafeMutableBytes { try panel.receive(into: $0) }.sender
    #expect("\(sender)" == "[::1]:\(port)")

    let surface = try ControlSurface(host: "::1", port: port)
    try surface.subscribe("/ramp")
    let other = try ControlSurface(at: .tcp(host: "::1", port: router.tcpPort), framing: .slip)
    try other.send("/ramp", 0.5)
    #expect(try surface.wait(for: "/ramp").arguments == [0.5])
    let own = try #require(surface.client.localAddress)
    #expect(throws: ControlSurface.Refusal.self) { try surface.send("/ramp", "loud") }
    #expect(router.child.errors.line(containing: "by \(own)") != nil, "\(router.child.errors.text)")

    let said = router.child.errors.text
    let page = try #require(said.firstMatch(of: /http:\/\/\[::1\]:[0-9]+\/metrics/), "\(said)").0
    let curl = try ChildProcess("curl", ["--silent", "--globoff", "--max-time", "10", String(page)])
    #expect(curl.wait() == 0)
    #expect(curl.output.text.contains("multiroute_server_up 1"))
  }

  @Test("An address in use, one of another machine and one that cannot be read each have a clear error")
  func refusals() async throws {
    let folder = try TemporaryFolder()
    let taken = try UDPSocket(host: "::1", port: 0)
    let place = "\(taken.localAddress)"
    func run(_ osc: String) throws -> (code: Int32?, errors: String) {
      let result = try Program.run(["run", "--config", "none", "--osc", osc], in: folder)
      return (result.code, result.errors)
    }
    let inUse = try run(place)
    #expect(inUse.errors.contains("(process \(getpid()))"), "\(inUse)")
    #expect(inUse.errors.contains("--osc [::1]:0"), "\(inUse)")
    #expect(
      try run("[2001:db8::1]:0").errors.contains("No interface of this machine has the address 2001:db8::1."))
    #expect(try run("::1:9440").errors.contains("write an IPv6 address in brackets, such as [::1]:9440"))
    #expect(try run("[fe80::1]:0").errors.contains("name one, such as fe80::1%eth0"))
  }
}
