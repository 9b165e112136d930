import OSC
import SystemCalls

/// Measures OSCQuery: how long the whole tree of 64 sessions takes, and how long a command waits meanwhile.
enum TreeBench {
  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    let preset = try TemporaryFile(SurfaceBench.preset)
    let router = try ChildClient.router(preset: preset.path, servesWeb: true, server: server)
    var (trees, waits): ([Double], [Double]) = ([], [])
    do throws(SocketError) {
      let hand = try SurfaceBench.hand(at: try SurfaceBench.port(of: router))
      _ = try wait(hand)
      do throws(SystemError) {
        for _ in 0..<plan.trials {
          let round = try tree(at: router.webPort, hand)
          trees.append(round.time)
          waits.append(round.wait)
        }
      } catch { throw .system(call: error.call, number: error.number.rawValue, address: nil) }
    } catch { throw BenchError("\(error)") }
    table.add("the whole tree of OSCQuery with 64 sessions, median", trees.median, " ms", atMost: 50)
    table.add(
      "the longest wait of a command over UDP while a tree is made, median", waits.median, " ms", atMost: 5)
  }

  /// Asks for one tree. Returns the milliseconds until its last byte, and those of the slowest command until then.
  private static func tree(
    at port: UInt16, _ hand: OSCClient
  ) throws(SystemError) -> (time: Double, wait: Double) {
    let descriptor = try System.socket(.ipv4, .stream)
    defer { System.close(descriptor) }
    try System.sendAtOnce(descriptor)
    try System.connect(descriptor, to: .ipv4(host: 0x7f00_0001, port: port))
    let begin = BareClient.now
    try System.writeAll(descriptor, Array("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8))
    var (longest, answer) = (0.0, [UInt8]())
    while true {
      while try System.poll(descriptor, milliseconds: 0) {
        let bytes = try System.read(descriptor, count: 1 << 20)
        guard !bytes.isEmpty else { throw SystemError("read", .connectionReset) }
        answer += bytes
        if isWhole(answer) { return ((BareClient.now - begin) / 1_000, longest) }
      }
      longest = max(longest, (try? wait(hand)) ?? .infinity)
    }
  }

  /// Whether the last byte of an answer is there: its head tells the length of the rest.
  private static func isWhole(_ answer: [UInt8]) -> Bool {
    let head = String(decoding: answer.prefix(1_024), as: UTF8.self)
    guard let end = head.firstRange(of: "\r\n\r\n"),
      let length = head.firstMatch(of: /(?i)content-length: *([0-9]+)/).flatMap({ Int($0.1) })
    else { return false }
    // A refusal would be quick, too.
    precondition(length > 1 << 19, "the tree of 64 sessions has more than \(length) bytes")
    return answer.count >= head[..<end.upperBound].utf8.count + length
  }

  /// The milliseconds from a command to its answer.
  private static func wait(_ hand: OSCClient) throws(SocketError) -> Double {
    let begin = BareClient.now
    try hand.send(OSCMessage("/sync", .int32(1)))
    while case .message(let answer)? = try hand.receive(timeout: .seconds(5)) {
      if answer.address == "/synced" { break }
    }
    return (BareClient.now - begin) / 1_000
  }
}
