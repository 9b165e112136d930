import CBenchReference
import OSC

/// Measures what WebSockets cost beside UDP: the time from a message to the sound, and feedback to many clients, in turns; and OSCQuery.
enum WebBench {
  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    let source = try BareClient(server, "Source", bare_level, outputs: 1)
    var (datagrams, frames): ([Double], [Double]) = ([], [])
    var (plain, web): ([Double], [Double]) = ([], [])
    for _ in 0..<plan.rounds {
      let round = try times(plan.trials / 2, server)
      datagrams += round.datagrams
      frames += round.frames
      plain.append(try feedback(server, overWeb: false))
      web.append(try feedback(server, overWeb: true))
    }
    withExtendedLifetime(source) {}
    tell("web            UDP \(plain.map(\.text)) %, WebSocket \(web.map(\.text)) %")
    table.note("from a message over UDP to the sound, median", datagrams.median, " ms")
    table.add(
      "from a message over WebSocket to the sound, median, beyond that", frames.median - datagrams.median,
      " ms", atMost: 3)
    table.note("feedback of 64 moving faders to 32 clients over UDP, of one core", plain.median, " %")
    table.add("the same over WebSocket, of one core, to UDP", web.median / plain.median, atMost: 1.3)
    try TreeBench.run(plan, server, &table)
  }

  /// The milliseconds from a gain to the sound, over both ways in turns.
  private static func times(
    _ trials: Int, _ server: BenchServer
  ) throws(BenchError) -> (datagrams: [Double], frames: [Double]) {
    let device = try BareClient(server, "Device", bare_watching, inputs: 2, isDevice: true)
    let preset = try TemporaryFile(SurfaceBench.preset)
    let router = try ChildClient.router(preset: preset.path, servesWeb: true, server: server)
    do throws(SocketError) {
      let client = try OSCClient(port: try SurfaceBench.port(of: router))
      let socket = try BenchWebSocket(port: router.webPort)
      var (datagrams, frames): ([Double], [Double]) = ([], [])
      var isLoud = false
      for _ in 0..<trials {
        for isWeb in [false, true] {
          let time = try SurfaceBench.times(1, device) { _ in
            isLoud.toggle()
            return OSCMessage("/session/show/stream/main/gain", .float(isLoud ? -6 : -12))
          } send: { bytes throws(SocketError) in
            if isWeb { try socket.send(bytes) } else { try client.send(bytes: bytes) }
          }
          if isWeb { frames += time } else { datagrams += time }
        }
      }
      return (datagrams, frames)
    } catch { throw BenchError("\(error)") }
  }

  /// The share of one processor that the router needs while 64 faders move and 32 clients subscribe to everything.
  private static func feedback(_ server: BenchServer, overWeb: Bool) throws(BenchError) -> Double {
    let preset = try TemporaryFile(SurfaceBench.preset)
    let router = try ChildClient.router(preset: preset.path, servesWeb: true, server: server)
    let subscription = OSCMessage("/subscribe")
    do throws(SocketError) {
      let port = try SurfaceBench.port(of: router)
      let hand = try SurfaceBench.hand(at: port)
      guard overWeb else {
        var clients: [OSCClient] = []
        for _ in 0..<SurfaceBench.subscribers {
          clients.append(try OSCClient(port: port))
          try clients.last?.send(subscription)
        }
        try SurfaceBench.awaitSnapshots(of: clients)
        return try SurfaceBench.move(hand, router) {
          for client in clients { while (try? client.receive(timeout: .zero)) != nil {} }
        }
      }
      var sockets: [BenchWebSocket] = []
      for _ in 0..<SurfaceBench.subscribers {
        sockets.append(try BenchWebSocket(port: router.webPort))
        try sockets.last?.send(PacketEncoder.encode(subscription))
      }
      // All at once: who does not read loses feedback, and then the connection.
      var waiting = sockets
      while !waiting.isEmpty {
        var silent: [BenchWebSocket] = []
        for socket in waiting where try !socket.hears("/snapshot/end") { silent.append(socket) }
        waiting = silent
      }
      return try SurfaceBench.move(hand, router) { for socket in sockets { socket.drain() } }
    } catch { throw BenchError("\(error)") }
  }
}
