import AwaitedEvents
import CWebsockets
import ControlInterface
import HTTPClient
import OSC
import Testing

@testable import WebServer

@Suite("A request tells its handler all that matters, and the answer has the fields of its page")
struct RequestTests {
  @Test(
    "The query is the text behind the question mark, whatever it is",
    arguments: [
      ("/5", nil), ("/5?", nil), ("/5?HOST_INFO", "HOST_INFO"), ("/5?HOST_INFO=1", "HOST_INFO=1"),
      ("/5?VALUE&RANGE=", "VALUE&RANGE="), ("/5?a%20b=%26", "a b=&"),
      ("/5?\(String(repeating: "q", count: 2_000))", String(repeating: "q", count: 2_000)),
    ])
  func queries(path: String, query: String?) throws {
    let house = try House()
    #expect(try house.connection().ask("GET", path)?.status == 200)
    #expect(house.requests.all.map(\.path) == ["/5"])
    #expect(house.requests.all.map(\.query) == [query])
  }

  @Test("The handler learns the machine and what the client can read")
  func fields() throws {
    let house = try House()
    let asked = ["Accept: text/html", "Accept-Encoding: gzip, br", "If-None-Match: \"7\"", "Cookie: x=y"]
    #expect(try house.connection().ask("GET", "/5", fields: asked)?.status == 200)
    let request = try #require(house.requests.all.first)
    #expect(request.host == .loopback)
    #expect(
      request.fields == ["accept": "text/html", "accept-encoding": "gzip, br", "if-none-match": "\"7\""])
  }

  @Test("An answer brings its own fields, and replaces the usual ones")
  func answers() throws {
    let policy = "default-src 'none'; script-src 'sha256-\(String(repeating: "x", count: 1_000))'"
    let house = try House(
      answer: {
        var answer = WebAnswer(type: "text/html", body: [1])
        answer.fields = [
          "Cache-Control": "no-cache", "ETag": "\"7\"", "Content-Encoding": "br",
          "Content-Security-Policy": policy,
        ]
        return answer
      })
    let fields = try #require(try house.connection().ask("GET", "/answer")).fields
    #expect(fields["cache-control"] == "no-cache" && fields["etag"] == "\"7\"")
    #expect(fields["content-encoding"] == "br" && fields["content-security-policy"] == policy)
    #expect(fields["x-content-type-options"] == "nosniff")
  }

  @Test(
    "A path means what it names or nothing, and never leaves the pages",
    arguments: [
      "/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc//passwd", "/%2fetc",
      "/5%00", "/%00", "/%", "/%zz", "/5/%c0%af", "/a\\b",
    ])
  func strangePaths(path: String) throws {
    var limits = WebLimits()
    limits.patience = 1
    let house = try House(limits)
    let connection = try house.connection()
    let answer = connection.ask("GET", path)
    #expect([nil, 403, 404].contains(answer?.status), "\(path): \(answer?.status ?? 0)")
    #expect(!house.requests.all.contains { $0.path.contains("..") || $0.path.contains("\0") })
    #expect(try HTTPConnection.ask("GET", "/5", port: house.port)?.status == 200)
  }

  @Test(
    "A request with a body is refused, also behind another one in the same packet",
    arguments: [
      "POST /5 HTTP/1.1\r\nHost: desk\r\nContent-Length: 3\r\n\r\na=b",
      "PUT /5 HTTP/1.1\r\nHost: desk\r\n\r\n",
      "GET /5 HTTP/1.1\r\nHost: desk\r\nContent-Length: 3\r\n\r\na=b",
      "HEAD /5 HTTP/1.1\r\nHost: desk\r\nContent-Length: 99999999999999999999\r\n\r\n",
    ])
  func bodies(request: String) throws {
    let house = try House()
    // From 4.3 on, the library answers nothing on a connection whose packets have more than a request.
    let text = try WebsocketsCalls.load().calls.lws_get_library_version()
    let version = String(cString: try #require(text))
    let takesSeveral = ["4.0.", "4.1."].contains { version.hasPrefix($0) }
    for isBehind in [false, true] {
      let connection = try house.connection()
      connection.send((isBehind ? "GET /5 HTTP/1.1\r\nHost: desk\r\n\r\n" : "") + request)
      if takesSeveral || !isBehind {
        if isBehind { #expect(connection.answer()?.status == 200) }
        #expect([400, 405].contains(connection.answer(hasBody: !request.hasPrefix("HEAD"))?.status))
      }
      #expect(connection.ends())
      #expect(try HTTPConnection.ask("GET", "/5", port: house.port)?.status == 200)
    }
    #expect(try house.connection().ask("GET", "/5", fields: ["Content-Length: 0"])?.status == 200)
  }

  @Test("A query of 8 KiB ends the connection, and the next client is served")
  func longQuery() throws {
    let house = try House()
    let connection = try house.connection()
    #expect(connection.ask("GET", "/5?\(String(repeating: "q", count: 8_192))") == nil)
    #expect(connection.ends())
    #expect(try HTTPConnection.ask("GET", "/5", port: house.port)?.status == 200)
    #expect(house.requests.all.count == 1)
  }

  @Test("A page of this server may ask it, and a page of another one may not")
  func origins() throws {
    let house = try House()
    for (host, origin) in [
      ("127.0.0.1:\(house.port)", "http://127.0.0.1:\(house.port)"), ("desk", "HTTP://DESK"),
    ] {
      let answer = try house.connection().ask("GET", "/5", host: host, fields: ["Origin: \(origin)"])
      #expect(answer?.status == 200, "\(origin)")
    }
    for origin in [
      "http://evil.example", "http://127.0.0.1:1", "http://127.0.0.1", "null",
      "http://localhost:\(house.port)",
      "https://127.0.0.1:\(house.port)", "http://127.0.0.1:\(house.port).evil.example",
    ] {
      let connection = try house.connection()
      let answer = connection.ask(
        "GET", "/5", host: "127.0.0.1:\(house.port)", fields: ["Origin: \(origin)"])
      #expect(answer?.status == 403, "\(origin)")
      #expect(connection.ends())
    }
  }

  @Test("Of 200 connections of a machine those beyond its places are closed, and another machine is served")
  func many() throws {
    var limits = WebLimits()
    limits.patience = 60
    let house = try House(limits)
    var kept: [HTTPConnection] = []
    for number in 0..<200 {
      let connection = try house.connection()
      if number < limits.connectionsOfHost {
        #expect(connection.ask("GET", "/5")?.status == 200)
        kept.append(connection)
      } else {
        #expect(connection.ends())
      }
    }
    #expect(try HTTPConnection(port: house.port, from: 0x7f00_0002).ask("GET", "/5")?.status == 200)
    for connection in kept { #expect(connection.ask("GET", "/5")?.status == 200) }
  }
}
