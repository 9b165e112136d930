import AwaitedEvents
import ControlInterface
import HTTPClient
import OSC
import SystemCalls
import Testing
import Threads
import WebServer

@Suite("The web server serves GET and HEAD, and nothing else") struct WebServerTests {
  @Test("GET gets the page with its length and type, on a connection that takes the next request")
  func get() throws {
    let house = try House()
    let connection = try house.connection()
    for _ in 0..<3 {
      let answer = try #require(connection.ask("GET", "/5"))
      #expect((answer.status, answer.text) == (200, " !\"#$"))
      #expect(answer.fields["content-type"] == "text/plain" && answer.fields["content-length"] == "5")
      #expect(answer.fields["cache-control"] == "no-store" && answer.fields["server"] == "multiroute")
    }
    #expect(connection.ask("GET", "/nothing")?.status == 404)
    #expect(connection.ask("GET", "/0")?.body == [])
  }

  @Test("Clients reach a server at ::1, and its address in brackets is one of its names")
  func ipv6() throws {
    let house = try House(host: "::1") { $0 == HostAddress("::1") }
    let connection = try HTTPConnection(port: house.port, overIPv6: true)
    #expect(connection.ask("GET", "/5", host: "[::1]:\(house.port)")?.status == 200)
    #expect(connection.ask("GET", "/100000", host: "[::1]")?.body == House.page(100_000))
    #expect(connection.ask("GET", "/5", host: "[::1].evil.example")?.status == 403)
    let stranger = try House(host: "::1") { _ in false }
    #expect(try HTTPConnection(port: stranger.port, overIPv6: true).ends())
  }

  @Test("A header Host names this machine by an address or a name, and no other way")
  func hosts() {
    let header = HostHeader(machine: "desk")
    for host in [
      "desk", "DESK.local:9470", "localhost", "10.0.0.1:9470", "[::1]", "[fd00::1]:9470",
      "[fe80::1%eth0]:9470",
    ] { #expect(header.isOurs(host), "\(host)") }
    for host in ["desk.example", "[::1]evil", "[desk]", "[]", "::1", "[::1", ""] {
      #expect(!header.isOurs(host), "\(host)")
    }
  }

  @Test("HEAD gets the head of the page alone")
  func head() throws {
    let house = try House()
    let connection = try house.connection()
    let answer = try #require(connection.ask("HEAD", "/5"))
    #expect(answer.status == 200 && answer.fields["content-length"] == "5")
    // A body would stand before this answer.
    #expect(connection.ask("GET", "/1")?.text == " ")
  }

  @Test("A page of 2 MiB arrives whole, also at a client that reads slowly")
  func large() throws {
    let house = try House()
    #expect(try house.connection().ask("GET", "/2097152")?.body == House.page(2 << 20))
    let slow = try HTTPConnection(port: house.port, receiveBuffer: 4_096)
    #expect(slow.ask("GET", "/2097152")?.body == House.page(2 << 20))
  }

  @Test(
    "Other methods are refused with the ones that are allowed, and the connection ends",
    arguments: ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
  func methods(method: String) throws {
    let house = try House()
    let connection = try house.connection()
    let answer = try #require(connection.ask(method, "/5", fields: ["Content-Length: 3"], body: "a=b"))
    #expect(answer.status == 405 && answer.fields["allow"] == "GET, HEAD")
    #expect(connection.ends())
    #expect(house.requests.all.isEmpty)
  }

  @Test(
    "What is no request for a page ends the connection, and the next client is served",
    arguments: [
      "TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n", "BREW /5 HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "CONNECT desk:80 HTTP/1.1\r\nHost: desk\r\n\r\nbytes", "GET ?5 HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "\u{0}\u{1}\u{2}\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "GET /5 HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n",
      "GET /\(String(repeating: "5", count: 8_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ])
  func garbage(bytes: String) throws {
    var limits = WebLimits()
    limits.patience = 1
    let house = try House(limits)
    let connection = try house.connection()
    connection.send(bytes)
    #expect(connection.ends())
    #expect(try HTTPConnection.ask("GET", "/5", port: house.port)?.status == 200)
    #expect(!house.requests.all.contains { $0.path != "/5" })
  }

  @Test(
    "No connection becomes another protocol",
    arguments: [
      ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA"],
      [
        "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ],
    ])
  func upgrades(fields: [String]) throws {
    let house = try House()
    let connection = try house.connection()
    #expect(connection.ask("GET", "/5", fields: fields)?.status != 101)
    #expect(connection.ends())
  }

  @Test("Dots and double slashes are resolved, a query is told apart, and escapes are decoded")
  func paths() throws {
    let house = try House()
    let connection = try house.connection()
    for path in ["/a/../5", "//5", "/5?x=1", "/%35", "/./5"] {
      #expect(connection.ask("GET", path)?.status == 200, "\(path)")
    }
    #expect(house.requests.all.map(\.path) == Array(repeating: "/5", count: 5))
    #expect(house.requests.all.map(\.query) == [nil, nil, "x=1", nil, nil])
  }

  @Test(
    "A request under a name of another machine is refused, so that no page of another site reads this one")
  func names() throws {
    let house = try House()
    for host in ["127.0.0.1", "localhost:80", "DESK", "desk.local:80", "192.168.1.20:1"] {
      #expect(try house.connection().ask("GET", "/5", host: host)?.status == 200, "\(host)")
    }
    for host in ["evil.example", "desk.evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example"] {
      let connection = try house.connection()
      #expect(connection.ask("GET", "/5", host: host)?.status == 403, "\(host)")
      #expect(connection.ends())
    }
    let old = try house.connection()
    old.send("GET /5 HTTP/1.0\r\n\r\n")
    #expect(old.answer()?.status == 200)
  }
}

@Suite("The web server lets no client hold it up") struct WebLimitTests {
  private var impatient: WebLimits {
    var limits = WebLimits()
    (limits.connections, limits.patience, limits.answerSeconds) = (4, 1, 1)
    return limits
  }

  @Test("A client that says nothing, or half of a request, or nothing more, is closed")
  func silence() throws {
    let house = try House(impatient)
    let (silent, half, idle) = (try house.connection(), try house.connection(), try house.connection())
    half.send("GET /5 HTTP/1.1\r\nHos")
    #expect(idle.ask("GET", "/5")?.status == 200)
    for connection in [silent, half, idle] { #expect(connection.ends(within: 6)) }
  }

  @Test("A client that does not read its answer, and one whose answer does not come, are closed")
  func answers() throws {
    let house = try House(impatient)
    let deaf = try HTTPConnection(port: house.port, receiveBuffer: 4_096)
    deaf.send("GET /40000000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let waiting = try house.connection()
    waiting.send("GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(waiting.ends(within: 6))
    let reply = try #require(house.replies.first { $0 })
    // The place of the connection may belong to another one by now.
    let next = try house.connection()
    #expect(next.ask("GET", "/5")?.text == " !\"#$")
    reply { WebAnswer(status: 200, "late") }
    #expect(next.ask("GET", "/6")?.text == " !\"#$%")
    // Reads nothing until the time is over.
    OwnThread.sleep(seconds: 2.5)
    #expect(deaf.answer() == nil, "the page is not whole")
  }

  @Test("One connection too many is closed at once, and a place is free again when a client leaves")
  func connections() throws {
    var limits = impatient
    limits.patience = 20
    let house = try House(limits)
    var clients = try (0..<4).map { _ in try house.connection() }
    for client in clients { #expect(client.ask("GET", "/5")?.status == 200) }
    #expect(try house.connection().ends(within: 6))
    clients.removeFirst()
    // The end of the other connection is noticed by the same thread, in turn.
    var isServed = false
    for _ in 0..<100 where !isServed {
      isServed = try house.connection().ask("GET", "/5")?.status == 200
    }
    #expect(isServed)
  }

  @Test("A host without a permission is closed before a byte of it is read")
  func strangers() throws {
    let house = try House(admits: { _ in false })
    let stranger = try house.connection()
    #expect(stranger.ask("GET", "/5") == nil)
    #expect(stranger.ends())
    #expect(house.requests.all.isEmpty)
  }

  @Test("A reply from another thread is sent, and a reply after the end changes nothing")
  func replies() throws {
    let house = try House()
    let connection = try house.connection()
    connection.send("GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let reply = try #require(house.replies.first { $0 })
    OwnThread("reply") { reply { WebAnswer(status: 200, "from elsewhere") } }.join()
    #expect(connection.answer()?.text == "from elsewhere\n")
    connection.send("GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(house.replies.wait(2) { _ in true })
    house.server.stop()
    #expect(connection.ends())
    let late = house.replies.all[1]
    late { WebAnswer(status: 200, "late") }
    house.server.stop()
  }
}
