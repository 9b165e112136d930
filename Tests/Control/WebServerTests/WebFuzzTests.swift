import AwaitedEvents
import Chance
import HTTPClient
import OSC
import PacketFuzz
import Testing
import WebServer

/// Random requests and frames at a whole server. It must serve the next client, whatever came before.
@Suite("Random bytes at the web server") struct WebFuzzTests {
  private static let requests = [
    "GET /5 HTTP/1.1\r\nHost: localhost\r\n\r\n", "HEAD /5?HOST_INFO=1&VALUE HTTP/1.0\r\n\r\n",
    "GET /a/%41/../b//c?x=%26&y=%zz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
    "POST /5 HTTP/1.1\r\nHost: desk\r\nContent-Length: 3\r\n\r\na=b",
    "GET / HTTP/1.1\r\nHost: desk\r\nOrigin: http://desk\r\n"
      + WebSocketClient.upgrade.joined(separator: "\r\n") + "\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: desk\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n\r\n",
    "CONNECT desk:80 HTTP/1.1\r\nHost: desk\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  ].map { Array($0.utf8) }

  private static let pieces = [
    "\r\n", "\r\n\r\n", "\0", "%", "%00", "?", "&", "..", "/", " ", ":", ";", "\u{ff}", "HTTP/1.1", "Host: ",
    "Upgrade: websocket\r\n", "Transfer-Encoding: chunked\r\n", "Content-Length: 99999999999999999999\r\n",
    "Sec-WebSocket-Key: ", "Connection: Upgrade\r\n",
  ].map { Array($0.utf8) }

  /// A request that was changed in a few places.
  private func damagedRequest(_ chance: inout SeededGenerator) -> [UInt8] {
    var bytes = Self.requests.randomElement(using: &chance)!
    for _ in 0..<Int.random(in: 1...4, using: &chance) {
      let place = Int.random(in: 0..<max(1, bytes.count), using: &chance)
      let piece = Self.pieces.randomElement(using: &chance)!
      switch Int.random(in: 0..<5, using: &chance) {
      case 0: bytes.insert(contentsOf: piece, at: min(place, bytes.count))
      case 1: bytes.removeSubrange(min(place, bytes.count)..<min(place + 4, bytes.count))
      case 2: if !bytes.isEmpty { bytes[place] = .random(in: 0...255, using: &chance) }
      case 3:
        let count = Int.random(in: 1...6_000, using: &chance)
        bytes.insert(contentsOf: (0..<count).map { piece[$0 % piece.count] }, at: min(place, bytes.count))
      default: bytes += Self.requests.randomElement(using: &chance)!
      }
    }
    return bytes
  }

  @Test("After any request the next one is served", arguments: 0..<2)
  func requests(run: Int) throws {
    var limits = WebLimits()
    (limits.patience, limits.answerSeconds) = (1, 1)
    let echo = try Echo(limits)
    var chance = SeededGenerator(seed: FuzzBudget.seed(run))
    // The last connections stay open, as those of clients that wait.
    var open: [HTTPConnection] = []
    for round in FuzzBudget(rounds: 300) {
      let connection = try HTTPConnection(port: echo.port)
      let bytes = damagedRequest(&chance)
      let half = Int.random(in: 0...bytes.count, using: &chance)
      connection.send(Array(bytes[..<half]))
      if chance.next() & 1 == 0 { connection.send(Array(bytes[half...])) }
      open = (open + [connection]).suffix(16)
      guard round % 8 == 0 else { continue }
      #expect(try isServed(echo), "behind \(bytes)")
    }
    #expect(try isServed(echo))
    #expect(echo.answers(try echo.client()))
  }

  /// Whether a page is served. Half a request keeps its place until its time is over, so a newcomer may find none before.
  private func isServed(_ echo: Echo) throws -> Bool {
    let end = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < end {
      if try HTTPConnection.ask("GET", "/5", port: echo.port)?.status == 200 { return true }
    }
    return false
  }

  /// A frame that may be wrong.
  private func frame(_ mutator: inout PacketMutator) -> [UInt8] {
    let payload =
      mutator.chance.next() % 8 == 0
      ? [UInt8](repeating: 0x2f, count: .random(in: 0...70_000, using: &mutator.chance)) : mutator.next()
    let first: UInt8 =
      [0x82, 0x81, 0x02, 0x01, 0x00, 0x80, 0x89, 0x8a, .random(in: 0...255, using: &mutator.chance)]
      .randomElement(using: &mutator.chance)!
    var bytes = WebSocketClient.frame(first, payload, isMasked: mutator.chance.next() % 8 != 0)
    if mutator.chance.next() % 4 == 0 {
      bytes[.random(in: 0..<min(14, bytes.count), using: &mutator.chance)] = .random(
        in: 0...255, using: &mutator.chance)
    }
    return bytes
  }

  @Test("After any frames another client gets its answer", arguments: 0..<2)
  func frames(run: Int) throws {
    let echo = try Echo()
    var mutator = PacketMutator(seed: FuzzBudget.seed(run))
    let other = try echo.client()
    for _ in FuzzBudget(rounds: 100) {
      let client = try echo.client()
      for _ in 0..<Int.random(in: 1...6, using: &mutator.chance) {
        let bytes = frame(&mutator)
        let half = Int.random(in: 0...bytes.count, using: &mutator.chance)
        client.connection.send(Array(bytes[..<half]))
        client.connection.send(Array(bytes[half...]))
      }
      let bytes = PacketEncoder.encode(OSCMessage("/here", .int32(7)))
      other.send(binary: bytes)
      // Pings come between, if the run is long.
      var answer = other.next()
      while case .ping(let payload)? = answer {
        other.connection.send(WebSocketClient.frame(0x8a, payload))
        answer = other.next()
      }
      #expect(answer == .binary(bytes))
    }
    // The positive control: whole packets arrived, and damaged ones.
    #expect(
      echo.transport.counters.dropped > 0
        && echo.transport.counters.received > echo.transport.counters.dropped)
  }
}
