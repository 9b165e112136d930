import Checkout
import Foundation
import HTTPClient
import OSC
import TestKit
import Testing

/// A running router with `--http`.
@Suite struct WebSocketTests {
  private func router(
    _ server: PrivateServer, _ folder: TemporaryFolder, _ flags: String...
  ) throws -> RouterProcess {
    try RouterProcess(preset: nil, server: server.name, in: folder, flags: flags, owners: [server])
  }

  @Test("websocket-client and python-osc set, get and subscribe, and every frame is one message")
  func peer() async throws {
    let (server, folder) = (try await PrivateServer(), try TemporaryFolder())
    let router = try self.router(server, folder, "--osc", "127.0.0.1:0", "--http", "0")
    let script = """
      import sys, websocket
      from pythonosc.osc_bundle_builder import OscBundleBuilder, IMMEDIATELY
      from pythonosc.osc_message import OscMessage
      from pythonosc.osc_message_builder import OscMessageBuilder
      def message(address, *arguments):
          builder = OscMessageBuilder(address)
          for argument in arguments: builder.add_arg(argument)
          return builder.build()
      socket = websocket.create_connection(f"ws://127.0.0.1:{sys.argv[1]}/", timeout=10)
      def send(*arguments): socket.send_binary(message(*arguments).dgram)
      def wait(address, *arguments):
          while True:
              frame = socket.recv()
              assert isinstance(frame, bytes) and not frame.startswith(b"#bundle"), frame
              found = OscMessage(frame)
              if found.address == address and found.params[:len(arguments)] == list(arguments): return
      send("/request", 1, "/ramp", 0.25)
      wait("/response", 1, 0)
      send("/subscribe", "/ramp")
      send("/subscribe", "/silent")
      wait("/ramp", 0.25)
      wait("/silent", 0)
      bundle = OscBundleBuilder(IMMEDIATELY)
      bundle.add_content(message("/ramp", 0.5))
      bundle.add_content(message("/silent", 1))
      socket.send_binary(bundle.build().dgram)
      wait("/silent", 1)
      print("ready", flush=True)
      wait("/ramp", 0.75)
      socket.close()
      print("done")
      """
    let child = try ChildProcess(
      "python3", ["-c", script, "\(try router.webPort())"],
      environment: ["PYTHONPATH": Checkout.file(".build/python")])
    #expect(child.output.line(containing: "ready") != nil, "\(child.errors.text)")
    let surface = try ControlSurface(port: router.port)
    #expect(try surface.number("/ramp") == 0.5)
    try surface.send("/ramp", 0.75)
    #expect(child.wait(seconds: 20) == 0, "\(child.errors.text)")
    // The client has left its place.
    let values = try surface.send("/system/stats")
    #expect(values.firstIndex(of: "clients").map { values[$0 + 1] } == 0)
    #expect(router.terminate().code == 0)
  }

  @Test("One port has the metrics and WebSockets, that of --metrics has no WebSocket, and both count clients")
  func ports() async throws {
    let (server, folder) = (try await PrivateServer(), try TemporaryFolder())
    let router = try self.router(server, folder, "--http", "127.0.0.1:0", "--metrics", "0")
    let http = try router.webPort()
    let said = router.child.errors.text
    let place = try #require(said.firstMatch(of: /metrics are at http:\/\/127.0.0.1:([0-9]+)\/metrics/))
    let metrics = try #require(UInt16(place.1))
    let client = try #require(try WebSocketClient(port: http))
    client.send(binary: PacketEncoder.encode(OSCMessage("/subscribe", "/ramp")))
    while case .binary(let bytes)? = client.next() {
      let packet = try PacketDecoder(limits: .tcp).decode(bytes.span)
      if packet.messages.first?.address == "/ramp" { break }
    }
    for port in [http, metrics] {
      let page = try #require(try HTTPConnection.ask("GET", "/metrics", port: port)).text
      #expect(page.contains("multiroute_osc_clients{transport=\"websocket\"} 1\n"), "\(page)")
      #expect(page.contains("multiroute_osc_messages_total{transport=\"websocket\"} 1\n"))
    }
    #expect(try HTTPConnection.ask("GET", "/other", port: http)?.status == 404)
    #expect(try WebSocketClient(port: metrics) == nil)
    // The end of the router ends the connection.
    #expect(router.terminate().code == 0)
    #expect(client.connection.ends())
  }

  @Test("A WebSocket gets the refusals and errors of any client")
  func errors() async throws {
    let (server, folder) = (try await PrivateServer(), try TemporaryFolder())
    let router = try self.router(server, folder, "--http", "0")
    let client = try #require(try WebSocketClient(port: try router.webPort()))
    /// The sentence of the next error.
    func error() throws -> String? {
      while case .binary(let bytes)? = client.next() {
        let answer = try PacketDecoder(limits: .tcp).decode(bytes.span).messages.first
        if answer?.address == "/error" { return answer?.arguments[3].text }
      }
      return nil
    }
    func refusal(_ packet: OSCPacket) throws -> String? {
      client.send(binary: PacketEncoder.encode(packet))
      return try error()
    }
    #expect(try refusal(.message(OSCMessage("/ramp", "loud"))) != nil)
    let port = OSCMessage("/hello", "tablet", "", 9_001)
    #expect(try refusal(.message(port))?.contains("clients over websocket have no ports") == true)
    let bundle = OSCBundle(Array(repeating: .message(OSCMessage("/ping")), count: 257))
    #expect(try refusal(.bundle(bundle))?.contains("more than 256 messages") == true)
  }

  @Test("A port that another program has is named with the program and the flag, and the router ends with 73")
  func taken() async throws {
    let (server, folder) = (try await PrivateServer(), try TemporaryFolder())
    let first = try router(server, folder, "--http", "0")
    let port = try first.webPort()
    let second = try Program.run(
      [
        "run", "--server", server.name, "--config", "none", "--name", "second", "--osc", "127.0.0.1:0",
        "--no-mpris", "--http", "\(port)",
      ], in: folder)
    #expect(second.code == 73)
    #expect(second.errors.contains("HTTP cannot be served at 127.0.0.1:\(port)"), "\(second.errors)")
    #expect(second.errors.contains("is in use by multiroute (process"), "\(second.errors)")
    #expect(second.errors.contains("--http 127.0.0.1:0"), "\(second.errors)")
  }
}
