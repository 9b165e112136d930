import Checkout
import Foundation
import HTTPClient
import TestKit
import Testing

/// OSCQuery of a running router, for clients that are written by others, and for doubles of two programs that cannot run here: they do what
/// libossia and Chataigne do, in their order.
@Suite struct OSCQueryTests {
  /// The port of HTTP, as the router prints it.
  private static func port(_ house: House) throws -> UInt16 {
    let said = house.router.child.errors.text
    let place = try #require(said.firstMatch(of: /WebSocket are at http:\/\/127.0.0.1:([0-9]+)\//), "\(said)")
    return try #require(UInt16(place.1))
  }

  /// Runs a script of Python with the ports of HTTP and OSC, and returns what it prints.
  private func run(_ script: String) async throws -> [String] {
    let house = try await House(flags: ["--http", "127.0.0.1:0"])
    let child = try ChildProcess(
      "python3", ["-c", script, "\(Self.port(house))", "\(house.router.port)"],
      environment: ["PYTHONPATH": Checkout.file(".build/python")])
    #expect(child.wait(seconds: 60) == 0, "\(child.errors.text)")
    #expect(house.router.terminate().code == 0)
    return child.output.text.split(separator: "\n").map(String.init)
  }

  /// A client with a WebSocket of websocket-client. It takes a packet only if it is one message.
  private static let client = #"""
    import json, sys, time, urllib.request, websocket
    from pythonosc.osc_message import OscMessage
    from pythonosc.osc_message_builder import OscMessageBuilder
    from pythonosc.osc_bundle_builder import OscBundleBuilder, IMMEDIATELY

    web = int(sys.argv[1])

    def get(path):
        with urllib.request.urlopen(f"http://127.0.0.1:{web}{path}", timeout=15) as answer:
            return json.loads(answer.read())

    def message(address, *values):
        builder = OscMessageBuilder(address=address)
        for value in values:
            builder.add_arg(value)
        return builder.build()

    class Surface:
        def __init__(self):
            self.socket = websocket.create_connection(f"ws://127.0.0.1:{web}/", timeout=10)
        def command(self, name, data):
            self.socket.send(json.dumps({"COMMAND": name, "DATA": data}))
        def send(self, packet):
            self.socket.send_binary(packet.dgram)
        def next(self):
            kind, data = self.socket.recv_data()
            if kind == websocket.ABNF.OPCODE_TEXT:
                return json.loads(data)
            assert data[:1] == b"/", data
            heard = OscMessage(data)
            return heard.address, *heard.params
        # The frames up to one that a test waits for, that one last.
        def until(self, is_last):
            heard = []
            while not heard or not is_last(heard[-1]):
                heard.append(self.next())
            return heard

    """#

  @Test("A client of websocket-client listens, sets, ignores, and hears of nodes that come and go")
  func commands() async throws {
    let lines = try await run(
      Self.client + #"""
        a = Surface()
        a.send(message("/session/create", "new", "playback"))
        told = [a.next() for _ in range(3)]
        print(sorted(t["DATA"] for t in told), {t["COMMAND"] for t in told})
        print([t["CONTENTS"]["gain"]["VALUE"] for t in told if t["DATA"] == "/session/new"])
        a.command("LISTEN", "/session/new/gain")
        a.command("LISTEN", ["/session/new/mute", True])
        print(a.next(), a.next())
        bundle = OscBundleBuilder(IMMEDIATELY)
        bundle.add_content(message("/session/new/gain", -12.0))
        bundle.add_content(message("/session/new/mute", True))
        a.send(bundle.build())
        print(sorted([a.next(), a.next()]))
        print(get("/session/new/mute?VALUE"), get("/session/new/mute?TYPE"), get("/session/new/gain?VALUE"))
        a.command("IGNORE", "/session/new/mute")
        a.send(message("/session/new/mute", False))
        a.send(message("/session/new/gain", -3.0))
        print(a.until(lambda m: m == ("/session/new/gain", -3.0)))
        a.socket.send("hello")
        a.command("LISTEN", "/session/nobody/gain")
        a.send(message("/sync", 7))
        a.until(lambda m: m[0] == "/synced")
        a.send(message("/system/stats"))
        stats = a.until(lambda m: m[0] == "/system/stats")[-1]
        print("ignored", stats[stats.index("ignored") + 1])
        a.send(message("/session/remove", "new"))
        gone = [a.next() for _ in range(3)]
        print(sorted(m["DATA"] for m in gone), {m["COMMAND"] for m in gone})
        """#)
    let nodes = "['/meter/session/new', '/meter/stream/new', '/session/new']"
    #expect(
      lines == [
        "\(nodes) {'PATH_ADDED'}", "[[0.0]]", "('/session/new/gain', 0.0) ('/session/new/mute', False)",
        "[('/session/new/gain', -12.0), ('/session/new/mute', True)]",
        "{'VALUE': [True]} {'TYPE': 'T'} {'VALUE': [-12.0]}", "[('/session/new/gain', -3.0)]", "ignored 2",
        "\(nodes) {'PATH_REMOVED'}",
      ], "\(lines)")
  }

  @Test(
    "A double of libossia's mirror opens in time, tells answers apart by their keys, and sends values both ways"
  )
  func libossia() async throws {
    let lines = try await run(
      Self.client + #"""
        import socket
        osc = int(sys.argv[2])

        # As libossia's mirror: one request on each connection, a Host without a port, exact case of Content-Length, or all that comes.
        def ask(path):
            with socket.create_connection(("127.0.0.1", web), 3) as line:
                line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\nConnection: close\r\n\r\n".encode())
                data = b""
                while part := line.recv(65536):
                    data += part
            head, body = data.split(b"\r\n\r\n", 1)
            assert head.startswith(b"HTTP/1.1 200 ") and b"chunked" not in head.lower(), head
            return json.loads(body)

        def kind(answer):
            return next((key for key in ("COMMAND", "FULL_PATH", "NAME", "OSC_PORT") if key in answer), "value")

        begin = time.monotonic()
        a = Surface()
        print("open in time", time.monotonic() - begin < 1.5)
        info = [ask("/?HOST_INFO"), ask("/?HOST_INFO=1")]
        print(info[0] == info[1], kind(info[0]), info[0]["OSC_PORT"] == osc, type(info[0]["WS_PORT"]).__name__, info[0]["OSC_TRANSPORT"])
        tree = ask("/")
        print(kind(tree), kind(ask("/session/show/mute?VALUE")), kind(ask("/session/show/gain?RANGE")))
        found = {}
        def collect(node):
            if "CONTENTS" in node:
                for child in node["CONTENTS"].values():
                    collect(child)
            else:
                found[node["FULL_PATH"]] = node
        collect(tree)
        for address in ("/session/show/gain", "/session/show/mute"):
            a.command("LISTEN", address)
            print(a.next())
        print(found["/session/show/mute"]["CRITICAL"], "CRITICAL" in found["/session/show/gain"])
        # Critical values go by WebSocket, in a bundle; others by UDP.
        bundle = OscBundleBuilder(IMMEDIATELY)
        bundle.add_content(message("/session/show/mute", True))
        a.send(bundle.build())
        print(a.until(lambda m: m[0] == "/session/show/mute")[-1], ask("/session/show/mute?VALUE"))
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.sendto(message("/session/show/gain", -6.0).dgram, ("127.0.0.1", info[0]["OSC_PORT"]))
        print(a.until(lambda m: m[0] == "/session/show/gain")[-1])
        a.send(message("/session/create", "new", "playback"))
        told = [a.next() for _ in range(3)]
        print(sorted((kind(t), t["DATA"], "FULL_PATH" in t) for t in told))
        """#)
    #expect(
      lines == [
        "open in time True", "True NAME True int UDP", "FULL_PATH value value", "('/session/show/gain', 0.0)",
        "('/session/show/mute', False)", "True False", "('/session/show/mute', True) {'VALUE': [True]}",
        "('/session/show/gain', -6.0)",
        "[('COMMAND', '/meter/session/new', True), ('COMMAND', '/meter/stream/new', True), ('COMMAND', '/session/new', True)]",
      ], "\(lines)")
  }

  @Test("A double of Chataigne reads the tree, listens to all of it at once, and sends over UDP")
  func chataigne() async throws {
    let lines = try await run(
      Self.client + #"""
        import socket
        info = get("/?HOST_INFO")
        tree = get("/")
        values, names = {}, set()
        def collect(node):
            contents = node.get("CONTENTS")
            if contents is None:
                values[node["FULL_PATH"]] = node
                return
            # It looks nodes up by their descriptions.
            texts = [child["DESCRIPTION"] for child in contents.values() if "DESCRIPTION" in child]
            assert len(texts) == len(set(texts)), node["FULL_PATH"]
            for child in contents.values():
                collect(child)
        collect(tree)
        types = {"N": 1, "I": 1, "i": 1, "h": 1, "f": 1, "d": 1, "s": 1, "S": 1, "c": 1, "T": 1, "F": 1}
        print(all(set(node["TYPE"]) <= set(types) and node["TYPE"] for node in values.values()), len(values) > 500)
        print([a for a, n in values.items() if n["TYPE"] == "s" and "RANGE" in n and "VALS" not in n["RANGE"][0]])
        print(info["EXTENSIONS"]["LISTEN"])
        a = Surface()
        readable = {address for address, node in values.items() if node["ACCESS"] & 1 and "VALUE" in node}
        for address in values:
            if address in readable:
                a.command("LISTEN", address)
        heard = {}
        while len(heard) < len(readable):
            address, *rest = a.next()
            heard[address] = rest
        print(set(heard) == readable)
        wrong = [x for x in readable if not x.startswith(("/health", "/loop", "/meter")) and len(heard[x]) != len(values[x]["VALUE"])]
        print(wrong)
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.sendto(message("/session/show/override", "speaker").dgram, ("127.0.0.1", info["OSC_PORT"]))
        udp.sendto(message("/session/show/mute", 1).dgram, ("127.0.0.1", info["OSC_PORT"]))
        print(a.until(lambda m: m[0] == "/session/show/mute")[-1])
        """#)
    #expect(
      lines == ["True True", "[]", "True", "True", "[]", "('/session/show/mute', True)"], "\(lines)")
  }

  @Test("python-oscquery reads the host and the nodes that are no commands")
  func pythonOSCQuery() async throws {
    let lines = try await run(
      #"""
      import sys
      from zeroconf import ServiceInfo
      from pythonoscquery.osc_query_client import OSCQueryClient
      service = ServiceInfo("_oscjson._tcp.local.", "hall._oscjson._tcp.local.", addresses=[b"\x7f\0\0\1"], port=int(sys.argv[1]))
      client = OSCQueryClient(service)
      info = client.get_host_info()
      print(info.name, info.osc_port == int(sys.argv[2]), info.extensions["LISTEN"])
      for address in ("/session/show/gain", "/session/show/mute", "/session/show/name", "/session/show/stream/band/to", "/output/usb/gain", "/meter/rate"):
          node = client.query_node(address)
          print(node.full_path, node.is_container, node.value)
      """#)
    #expect(
      lines == [
        "multiroute True True", "/session/show/gain False [0.0]", "/session/show/mute False [False]",
        "/session/show/name False ['show']", "/session/show/stream/band/to True None",
        "/output/usb/gain False [0.0]", "/meter/rate False [20.0]",
      ], "\(lines)")
  }

  @Test("curl gets the statuses that OSCQuery defines")
  func statuses() async throws {
    let house = try await House(flags: ["--http", "127.0.0.1:0"])
    let port = try Self.port(house)
    let expected: [(String, [String], Int)] = [
      ("/", [], 200), ("/?HOST_INFO", [], 200), ("/?HOST_INFO=1", [], 200),
      ("/session/show/gain?VALUE", [], 200),
      ("/session/show/gain?value", [], 400), ("/?LISTEN=TRUE", [], 400), ("/session/list?VALUE", [], 204),
      ("/session/nobody", [], 404), ("/session/show/%2e%2e/x", ["--path-as-is"], 404),
      ("/", ["-X", "PUT"], 405), ("/", ["-X", "DELETE"], 405), ("/metrics", [], 200),
      ("/session/show/gain?VALUE#x", [], 200),
      ("/", ["-I"], 200),
    ]
    for (path, flags, status) in expected {
      let child = try ChildProcess(
        "curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}"] + flags + ["http://127.0.0.1:\(port)\(path)"])
      #expect(child.wait(seconds: 20) == 0, "\(path)")
      #expect(child.output.text == "\(status)", "\(path) \(flags)")
    }
    let tree = try #require(try HTTPConnection.ask("GET", "/", port: port))
    #expect(tree.fields["content-type"] == "application/json")
    #expect((try? JSONSerialization.jsonObject(with: Data(tree.body))) != nil)
    #expect(house.router.terminate().code == 0)
  }
}
