import Checkout
import Foundation
import OSC
import TestKit
import Testing

/// Tokens for mixes at a running router: over UDP and WebSocket, over a restart, and from the command line.
@Suite struct MixTokenTests {
  private func router(_ server: PrivateServer, _ folder: TemporaryFolder) throws -> RouterProcess {
    try RouterProcess(
      preset: "usb-and-headphones", server: server.name, in: folder,
      flags: ["--osc", "127.0.0.1:0", "--http", "0"], owners: [server])
  }

  /// Sends a message to the router as a command does, and answers what it printed.
  private func run(_ words: [String], _ router: RouterProcess, in folder: TemporaryFolder) throws
    -> Program.Result
  {
    try Program.run(words + ["--to", "127.0.0.1:\(router.port)"], in: folder)
  }

  @Test(
    "A link from the command line gives one mix, over UDP and WebSocket; it survives a restart, ends at once, and stands in no log"
  )
  func link() async throws {
    let (server, folder) = (try await PrivateServer(), try TemporaryFolder())
    var router = try self.router(server, folder)
    let made = try run(["token", "mix", "headphones", "--for", "3h", "--name", "Anna"], router, in: folder)
    #expect(made.code == 0, "\(made.errors)")
    let link = try #require(
      made.output.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\/mix\/headphones#([a-z0-9]{24})/))
    let token = String(link.1)
    // The QR code is a picture of blocks.
    #expect(made.output.contains("█▀▀▀▀▀█") || made.output.contains(" ▄▄▄▄▄ "), "\(made.output)")
    let listed = try run(["token", "list"], router, in: folder)
    #expect(listed.output.contains("Anna  headphones") && !listed.output.contains(token))
    try check(router, token, expects: "welcome")

    #expect(router.terminate().code == 0)
    let errors = router.child.errors.text
    #expect(!errors.contains(token), "\(errors)")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let file = folder.file(try #require(names.first { $0.hasSuffix(".tokens") }))
    #expect(try !String(contentsOfFile: file, encoding: .utf8).contains(token))
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)

    router = try self.router(server, folder)
    try check(router, token, expects: "welcome")
    #expect(try run(["token", "withdraw", "Anna"], router, in: folder).code == 0)
    try check(router, token, expects: "error")
    #expect(router.terminate().code == 0)
  }

  /// Presents a token over UDP and WebSocket, and tries the own level and another's.
  private func check(_ router: RouterProcess, _ token: String, expects: String) throws {
    let script = """
      import re, socket, sys, websocket
      from pythonosc.osc_message import OscMessage
      from pythonosc.osc_packet import OscPacket
      from pythonosc.osc_message_builder import OscMessageBuilder
      udp, http, token, expected = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
      def message(address, *arguments):
          builder = OscMessageBuilder(address)
          for argument in arguments: builder.add_arg(argument)
          return builder.build().dgram
      plain = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); plain.connect(("127.0.0.1", udp)); plain.settimeout(10)
      web = websocket.create_connection(f"ws://127.0.0.1:{http}/", timeout=10)
      ways = [(plain.send, lambda: OscPacket(plain.recv(65536)).messages[0].message), (web.send_binary, lambda: OscMessage(web.recv()))]
      for send, receive in ways:
          send(message("/token", token))
          answer = receive()
          if expected == "error":
              assert answer.address == "/error" and answer.params[0] == "/token", (answer.address, answer.params)
              continue
          assert answer.address == "/token/welcome" and answer.params[1] == "headphones", (answer.address, answer.params)
          send(message("/request", 1, "/output/headphones/gain", -12.0))
          assert receive().params[:2] == [1, 0]
          send(message("/request", 2, "/output/usb/gain", -12.0))
          refused = receive()
          assert refused.params[1] != 0 and "no part of the mix" in refused.params[-1], refused.params
          send(message("/bye"))
      """
    let child = try ChildProcess(
      "python3", ["-c", script, "\(router.port)", "\(try router.webPort())", token, expects],
      environment: ["PYTHONPATH": Checkout.file(".build/python")])
    #expect(child.wait(seconds: 20) == 0, "\(child.errors.text)")
  }
}
