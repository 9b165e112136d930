import Checkout
import Foundation
import OSC
import TestKit
import Testing

/// A running router at a TCP port.
@Suite struct TCPTests {
  private func router(
    _ server: PrivateServer, _ folder: TemporaryFolder, _ flags: String...
  ) throws -> RouterProcess {
    try RouterProcess(preset: nil, server: server.name, in: folder, flags: flags, owners: [server])
  }

  /// The rows of the socket tables that belong to a process, as `tcp 127.0.0.1:9440`; of TCP those that listen.
  private func sockets(of process: Int32) throws -> [String] {
    let folder = "/proc/\(process)/fd"
    let own = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }
    var found: [String] = []
    for table in ["tcp", "tcp6", "udp", "udp6", "raw"] {
      let rows = (try? String(contentsOfFile: "/proc/\(process)/net/\(table)", encoding: .utf8)) ?? ""
      for row in rows.split(separator: "\n").dropFirst() {
        let fields = row.split(separator: " ")
        guard own.contains("socket:[\(fields[9])]"), !table.hasPrefix("tcp") || fields[3] == "0A" else {
          continue
        }
        let place = fields[1].split(separator: ":")
        let host = UInt32(place[0], radix: 16).map { UInt32(bigEndian: $0) } ?? 0
        let words = [24, 16, 8, 0].map { "\(host >> $0 & 255)" }.joined(separator: ".")
        found.append("\(table) \(words):\(UInt16(place[1], radix: 16) ?? 0)")
      }
    }
    return found.sorted()
  }

  @Test(
    "The socket tables show nothing but the ports that were asked for, and the program prints the same ports")
  func table() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let plain = try router(server, folder, "--name", "plain")
    #expect(try sockets(of: plain.child.identifier) == ["udp 127.0.0.1:\(plain.port)"])
    let both = try router(
      server, folder, "--name", "both", "--osc", "tcp:127.0.0.1:0", "--osc", "127.0.0.1:0")
    #expect(
      try sockets(of: both.child.identifier)
        == ["tcp 127.0.0.1:\(both.tcpPort)", "udp 127.0.0.1:\(both.port)"])
    let open = try router(server, folder, "--name", "open", "--osc", "tcp:0.0.0.0:0")
    #expect(open.port == 0)
    #expect(try sockets(of: open.child.identifier) == ["tcp 0.0.0.0:\(open.tcpPort)"])
    #expect(
      open.child.errors.text.contains("OSC is open to the network at tcp:0.0.0.0:\(open.tcpPort) "),
      "\(open.child.errors.text)")
  }

  @Test("The commands of the program work over TCP")
  func commands() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let router = try self.router(server, folder, "--osc", "tcp:127.0.0.1:0")
    let place = "tcp:127.0.0.1:\(router.tcpPort)"
    #expect(try Program.run(["send", "/ramp", "0.25", "--to", place], in: folder).output == "0.25")
    #expect(try Program.run(["get", "/ramp", "--to", place], in: folder).output == "0.25")
    #expect(try Program.run(["status", "--to", place], in: folder).code == 0)
    let watch = try Program.start(["watch", "/ramp", "--to", place], in: folder)
    #expect(watch.output.line(containing: "/ramp 0.25") != nil, "\(watch.errors.text)")
    let send = try ChildProcess("oscsend", ["osc.tcp://127.0.0.1:\(router.tcpPort)/", "/ramp", "f", "0.5"])
    #expect(send.wait() == 0)
    #expect(watch.output.line(containing: "/ramp 0.5") != nil)
    #expect(router.terminate().code == 0)
    // The router has closed the connection.
    #expect(watch.wait() == 69)
    #expect(watch.errors.text.contains("has closed the connection"), "\(watch.errors.text)")
    let gone = try Program.run(["get", "/ramp", "--to", place], in: folder)
    #expect(gone.code == 69 && gone.errors.contains("no router listens at \(place)"), "\(gone.errors)")
  }

  @Test("A client that closes leaves its place at once, and a named port is refused with the reason")
  func places() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let router = try self.router(server, folder, "--osc", "127.0.0.1:0", "--osc", "tcp:127.0.0.1:0")
    let place = Endpoint.tcp(host: "127.0.0.1", port: router.tcpPort)
    // As many as one machine has places.
    var clients = try (0..<56).map { try ControlSurface(at: place, framing: $0 & 1 == 0 ? .slip : .length) }
    for client in clients { try client.subscribe("/ramp") }
    let late = try ControlSurface(port: router.port)
    func count() throws -> OSCArgument? {
      let values = try late.send("/system/stats")
      return values.firstIndex(of: "clients").map { values[$0 + 1] }
    }
    #expect(try count() == 56)
    clients.removeLast()
    // The end of a connection has no answer that could be awaited, so the newcomer asks until there is room.
    let end = ContinuousClock.now + .seconds(5)
    while try count() != 55, ContinuousClock.now < end {}
    try late.subscribe("/ramp")
    #expect(try count() == 56)
    // No other client has lost its place to the newcomer.
    try late.tell("/ramp", 0.5)
    for client in clients { try client.wait(for: "/ramp") { $0.arguments == [0.5] } }
    try clients[0].tell("/hello", "tablet", "", 9_001)
    let refusal = try clients[0].wait(for: "/error")
    #expect(refusal.arguments[3].text?.contains("clients over tcp have no ports") == true, "\(refusal)")
  }

  @Test("A client that ends its own direction behind its requests gets every answer, and then the end")
  func halfClose() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let router = try self.router(server, folder, "--osc", "tcp:127.0.0.1:0")
    let script = """
      import socket, struct, sys
      from pythonosc.osc_message_builder import OscMessageBuilder
      from pythonosc.osc_packet import OscPacket
      def message(address, *arguments):
          builder = OscMessageBuilder(address)
          for argument in arguments: builder.add_arg(argument)
          data = builder.build().dgram
          return struct.pack(">i", len(data)) + data
      connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
      connection.sendall(
          message("/get", "/ramp") + message("/subscribe", "/ramp") + message("/request", 7, "/preset/list")
          + message("/sync", 5) + message("/request", 8, "/ramp", 0.25))
      connection.shutdown(socket.SHUT_WR)
      data = b""
      while part := connection.recv(65536): data += part
      seen = []
      while data:
          size = struct.unpack(">i", data[:4])[0]
          seen += [m.message.address for m in OscPacket(data[4:4 + size]).messages]
          data = data[4 + size:]
      print(sorted(set(seen)), seen.count("/response"))
      """
    for _ in 0..<20 {
      let child = try ChildProcess(
        "python3", ["-c", script, "\(router.tcpPort)"],
        environment: ["PYTHONPATH": Checkout.file(".build/python")])
      #expect(child.wait(seconds: 20) == 0, "\(child.errors.text)")
      let line = child.output.text
      for address in ["/ramp", "/synced", "/response"] { #expect(line.contains("'\(address)'"), "\(line)") }
      #expect(line.hasSuffix(" 2"), "both requests are answered: \(line)")
    }
    // No client has kept its place.
    let late = try ControlSurface(at: .tcp(host: "127.0.0.1", port: router.tcpPort))
    let values = try late.send("/system/stats")
    #expect(values.firstIndex(of: "clients").map { values[$0 + 1] } == 0)
  }

  @Test("A packet over a limit is answered with the limit, over TCP before the connection ends")
  func limits() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let router = try self.router(server, folder, "--osc", "127.0.0.1:0", "--osc", "tcp:127.0.0.1:0")
    let datagrams = try ControlSurface(port: router.port)
    try datagrams.client.send(OSCMessage("/title", [.string(String(repeating: "a", count: 9_000))]))
    let refusal = try datagrams.wait(for: "/error")
    #expect(refusal.arguments[3].text?.contains("more than 8192 bytes") == true, "\(refusal)")
    // The next error of the host comes a second later.
    let stream = try ControlSurface(at: .tcp(host: "127.0.0.1", port: router.tcpPort))
    let message = OSCMessage("/title", [.string(String(repeating: "a", count: 70_000))])
    var told: OSCMessage?
    let end = ContinuousClock.now + .seconds(10)
    while told == nil, ContinuousClock.now < end {
      let connection = try ControlSurface(at: .tcp(host: "127.0.0.1", port: router.tcpPort))
      try? connection.client.send(message)
      told = try? connection.wait(for: "/error")
    }
    #expect(told?.arguments[3].text?.contains("more than 65536 bytes") == true)
    #expect(try stream.value("/ramp") != "")
  }

  @Test("python-osc reads, sets and gets feedback in both framings", arguments: ["1.0", "1.1"])
  func pythonOSC(mode: String) async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let router = try self.router(server, folder, "--osc", "tcp:127.0.0.1:0")
    let script = """
      import sys
      from pythonosc.tcp_client import SimpleTCPClient
      from pythonosc.osc_packet import OscPacket
      client = SimpleTCPClient("127.0.0.1", int(sys.argv[1]), mode=sys.argv[2], timeout=5)
      inbox = []
      def wait(address):
          while True:
              while inbox:
                  message = inbox.pop(0)
                  if message.address == address:
                      return message.params
              parts = client.receive()
              assert parts, "nothing came for " + address
              for part in parts:
                  inbox.extend(timed.message for timed in OscPacket(part).messages)
      client.send_message("/request", [7, "/ramp", 0.25])
      print("response", wait("/response"))
      client.send_message("/subscribe", "/ramp")
      print("snapshot", wait("/ramp"))
      wait("/snapshot/end")
      client.send_message("/ramp", 0.5)
      print("feedback", wait("/ramp"))
      client.send_message("/nowhere", 1)
      print("error", wait("/error")[:3])
      """
    let child = try ChildProcess(
      "python3", ["-c", script, "\(router.tcpPort)", mode],
      environment: ["PYTHONPATH": Checkout.file(".build/python")])
    #expect(child.wait(seconds: 20) == 0, "\(child.errors.text)")
    let lines = child.output.text.split(separator: "\n")
    #expect(
      lines == [
        "response [7, 0, '/ramp', 0.25]", "snapshot [0.25]", "feedback [0.5]",
        "error ['/nowhere', 1, 'unknownAddress']",
      ])
  }
}
