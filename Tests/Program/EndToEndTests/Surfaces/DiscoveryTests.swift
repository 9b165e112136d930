import Checkout
import Foundation
import OSC
import SystemCalls
import TestKit
import Testing

/// Routers that are announced on the network, and found there by their names.
@Suite struct DiscoveryTests {
  private static let patience = 40.0

  /// Waits until the router has said a text so many times; false after a while.
  private func says(_ text: String, times: Int = 1, _ router: RouterProcess) -> Bool {
    let end = ContinuousClock.now + .seconds(Self.patience)
    while router.child.errors.text.ranges(of: text).count < times {
      guard ContinuousClock.now < end else { return false }
      usleep(10_000)
    }
    return true
  }

  private func loads(_ library: String, _ router: RouterProcess) -> Bool {
    WholeFile.lines("/proc/\(router.child.identifier)/maps").contains { $0.contains(library) }
  }

  @Test("A router at loopback, and one that is told so, announces nothing and loads nothing")
  func quiet() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let configuration = try folder.write(#"{ "multiroute": 1, "mdns": "off" }"#, to: "config.json")
    for flags in [
      ["--osc", "127.0.0.1:0", "--osc", "tcp:[::1]:0"],
      ["--osc", "0.0.0.0:0", "--no-mdns"], ["--osc", "0.0.0.0:0", "--config", configuration],
    ] {
      let router = try RouterProcess(
        preset: nil, server: server.name, in: folder, flags: flags, owners: [server])
      // It would announce itself before it says that it is ready.
      #expect(!loads("libavahi", router))
      // Nobody has asked for a port of HTTP.
      #expect(!loads("libwebsockets", router))
      #expect(router.terminate().code == 0)
      #expect(!router.child.errors.text.contains("announced"), "\(router.child.errors.text)")
    }
  }

  @Test(
    "A router is announced as soon as a bus and a daemon are there, again after daemon or bus was killed, and never waits for it",
    .enabled(if: PrivateMachine.isPossible))
  func daemon() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let machine = try PrivateMachine("foh")
    func run(_ words: String...) throws -> Program.Result {
      try Program.run(words, in: folder, launcher: machine.launcher)
    }
    let router = try RouterProcess(
      preset: nil, server: server.name, in: folder,
      flags: [
        "--name", "desk", "--osc", "0.0.0.0:0", "--osc", "tcp:0.0.0.0:0", "--osc", "tcp:[::]:0",
        "--http", "0.0.0.0:0",
      ],
      launcher: machine.launcher, owners: [server, machine])
    #expect(
      says("is not announced on the network until an avahi daemon runs", router),
      "\(router.child.errors.text)")
    let lost = try run("find")
    #expect(lost.code == 69 && lost.errors.contains("routers cannot be looked for"), "\(lost)")
    let nameless = try run("get", "/ramp", "--to", "desk")
    #expect(nameless.code == 69 && nameless.errors.contains("--to desk:9440"), "\(nameless)")

    try machine.startBus()
    try machine.startAvahi()
    #expect(says("is announced on the network as \"desk\"", router), "\(router.child.errors.text)")
    #expect(loads("libavahi", router) && loads("libwebsockets", router))
    let browse = try machine.run("avahi-browse", ["-rp", "_osc._udp"])
    let found = try #require(browse.output.line(containing: "=;cable0;IPv4;desk;"))
    #expect(found.contains(";foh.local;10.77.0.1;\(router.port);"), "\(found)")
    for attribute in ["txtvers=1", "version=1.1", "types=ifsbhdtScmrTFNI", "router=desk"] {
      #expect(found.contains("\"\(attribute)\""), "\(found)")
    }
    for (service, attribute) in [("_oscjson._tcp", "WebSockets=true"), ("_http._tcp", "path=/")] {
      let browse = try machine.run("avahi-browse", ["-rp", service])
      let found = try #require(browse.output.line(containing: "=;cable0;IPv4;desk;"))
      #expect(found.contains(";foh.local;10.77.0.1;\(try router.webPort());"), "\(found)")
      #expect(found.contains("\"\(attribute)\""), "\(found)")
    }
    let list = try run("find")
    #expect(list.output.contains("desk") && list.output.contains("none"), "\(list)")
    #expect(
      list.output.contains("unix:\(router.socket), 10.77.0.1:\(router.port), tcp:10.77.0.1:"), "\(list)")
    #expect(try run("send", "/ramp", "0.25", "--to", "desk").output == "0.25")
    let answer = try run("send", "/system/routers", "--to", "desk", "--timeout", "5")
    let routers = answer.output
    let page = "http://10.77.0.1:\(try router.webPort())/"
    #expect(routers.contains("desk") && routers.contains(page), "\(answer)")

    machine.endAvahi(kills: true)
    try machine.startAvahi()
    #expect(
      says("is announced on the network as \"desk\"", times: 2, router), "\(router.child.errors.text)")
    machine.endBus()
    #expect(says("is not announced on the network", times: 3, router), "\(router.child.errors.text)")
    try machine.startBus()
    try machine.startAvahi()
    #expect(
      says("is announced on the network as \"desk\"", times: 3, router), "\(router.child.errors.text)")
    try machine.avahiStandsStill {
      let silent = try run("find", "--seconds", "0.1")
      #expect(silent.code == 69 && silent.errors.contains("the avahi daemon does not answer"), "\(silent)")
      #expect(try run("get", "/ramp", "--to", "unix:\(router.socket)").output == "0.25")
      let end = router.terminate()
      #expect(end.code == 0 && end.seconds < 2, "\(end)")
    }
    let lines = router.child.errors.text.split(separator: "\n").filter { $0.contains("announced") }
    #expect(lines.count == 6, "not, as desk, thrice: \(lines)")
  }

  @Test(
    "A name that another machine or program has is changed, and the new one leads from another machine to the router, with that machine's right",
    .enabled(if: PrivateMachine.isPossible))
  func conflict() async throws {
    let folder = try TemporaryFolder()
    let stage = try PrivateMachine("stage")
    let foh = try PrivateMachine("foh", number: 2, cableTo: stage)
    for machine in [stage, foh] {
      try machine.startBus()
      try machine.startAvahi()
    }
    let others = try [(foh, "desk"), (stage, "desk #2")].map { machine, name in
      try machine.run("avahi-publish", ["-s", name, "_osc._udp", "7000"])
    }
    for other in others {
      #expect(
        other.errors.line(containing: "Established", seconds: Self.patience) != nil, "\(other.errors.text)")
    }
    let server = try await PrivateServer()
    let file = try folder.write(
      #"{ "multiroute": 1, "hosts": { "10.77.0.2": "control" } }"#, to: "config.json")
    let preset = try folder.write(House.show, to: "show.json")
    let router = try RouterProcess(
      preset: preset, server: server.name, in: folder,
      flags: [
        "--config", file, "--name", "desk", "--osc", "cable0:0", "--osc", "tcp:cable0:0", "--http",
        "cable0:0",
      ],
      launcher: stage.launcher, owners: [server, stage])
    #expect(
      says("is announced on the network as \"desk #3\"; the network has another \"desk\"", router),
      "\(router.child.errors.text)")

    func run(_ words: String...) throws -> Program.Result {
      try Program.run(words, launcher: foh.launcher)
    }
    let list = try run("find", "--json")
    let routers = try #require(
      try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]], "\(list)")
    #expect(routers.count == 1)
    #expect(routers.first?["name"] as? String == "desk #3" && routers.first?["preset"] as? String == "show")
    #expect(
      routers.first?["addresses"] as? [String]
        == ["10.77.0.1:\(router.port)", "tcp:10.77.0.1:\(router.tcpPort)"], "\(list)")
    #expect(try run("send", "/ramp", "0.25", "--to", "desk #3").output == "0.25")
    let wrong = try run("get", "/ramp", "--to", "monitors")
    #expect(
      wrong.code == 69
        && wrong.errors.contains("no router on the network is named 'monitors'; there are desk #3."),
      "\(wrong)")

    let script = """
      from zeroconf import Zeroconf
      zeroconf = Zeroconf(interfaces=["10.77.0.2"])
      def found(kind): return zeroconf.get_service_info(kind, "desk #3." + kind, timeout=10000)
      info, web = found("_osc._tcp.local."), found("_oscjson._tcp.local.")
      print(info.port, info.parsed_addresses()[0], info.properties[b"framing"].decode())
      zeroconf.close()

      # The same host has the same right at the WebSocket: it may control, and not end the router.
      import websocket
      from pythonosc.osc_message import OscMessage
      from pythonosc.osc_message_builder import OscMessageBuilder
      socket = websocket.create_connection(f"ws://{web.parsed_addresses()[0]}:{web.port}/", timeout=10)
      for number, address, arguments in [(1, "/ramp", [0.5]), (2, "/system/quit", [])]:
          request = OscMessageBuilder("/request")
          for argument in [number, address] + arguments: request.add_arg(argument)
          socket.send_binary(request.build().dgram)
          answer = OscMessage(socket.recv())
          while answer.address != "/response": answer = OscMessage(socket.recv())
          print(*answer.params[:3])
      """
    let peer = try foh.run(
      "python3", ["-c", script], environment: ["PYTHONPATH": Checkout.file(".build/python")])
    #expect(peer.wait(seconds: 20) == 0, "\(peer.errors.text)")
    let said = peer.output.text.split(separator: "\n")
    #expect(said.first == "\(router.tcpPort) 10.77.0.1 slip")
    #expect(said.dropFirst().first?.hasPrefix("1 0") == true, "\(said)")
    #expect(said.last?.hasPrefix("2 0") == false && said.count == 3, "\(said)")
    withExtendedLifetime(others) {}
  }
}
