import CBenchReference
import Glibc
import OSC

/// Measures what surfaces cost: messages a second and the time from a message to the sound beside `scsynth` with the same client, and
/// feedback to many subscribers.
enum SurfaceBench {
  static let period = 64

  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    let source = try BareClient(server, "Source", bare_level, outputs: 1)
    var (ours, theirs): (Figures, Figures) = (Figures(), Figures())
    for round in 0..<plan.rounds {
      for isRouter in round.isMultiple(of: 2) ? [true, false] : [false, true] {
        if isRouter {
          try ours.add(router(plan, server))
        } else {
          try theirs.add(synth(plan, server, from: source))
        }
      }
    }
    tell("surface        router \(ours.text); scsynth \(theirs.text)")
    table.note("messages a second, scsynth", theirs.rates.median)
    table.add("messages a second, the router to scsynth", ours.rates.median / theirs.rates.median, atLeast: 1)
    table.note("from a message to the sound, median, scsynth", theirs.times.median, " ms")
    table.add(
      "from a message to the sound, median, the router to scsynth", ours.times.median / theirs.times.median,
      atMost: 1)
    table.add(
      "feedback of 64 moving faders to 32 subscribers, of one core", try feedback(server), " %", atMost: 15)
    withExtendedLifetime(source) {}
  }

  /// What one client reached in all rounds: messages a second, and milliseconds from a message to the sound.
  private struct Figures {
    var (rates, times): ([Double], [Double]) = ([], [])

    mutating func add(_ round: (rate: Double, times: [Double])) {
      rates.append(round.rate)
      times += round.times
    }

    var text: String { "\(rates.map(\.text)) messages a second, median \(times.median.text) ms" }
  }

  // MARK: The two

  private static func router(
    _ plan: Plan, _ server: BenchServer
  ) throws(BenchError) -> (rate: Double, times: [Double]) {
    let device = try BareClient(server, "Device", bare_watching, inputs: 2, isDevice: true)
    let preset = try TemporaryFile(Self.preset)
    let router = try ChildClient.router(preset: preset.path, server: server)
    do throws(SocketError) {
      let client = try OSCClient(port: try Self.port(of: router))
      return (
        try rate(client) { OSCMessage("/session/show/stream/main/gain", .float(-Float($0 % 20))) },
        try times(plan.trials, device, client) { isLoud in
          OSCMessage("/session/show/stream/main/gain", .float(isLoud ? -6 : -12))
        }
      )
    } catch { throw BenchError("\(error)") }
  }

  private static func port(of router: ChildClient) throws(SocketError) -> UInt16 {
    // Nobody answers at port 0, and the socket says so.
    (try? router.waitUntilReady()) ?? 0
  }

  private static func synth(
    _ plan: Plan, _ server: BenchServer, from source: BareClient
  ) throws(BenchError) -> (rate: Double, times: [Double]) {
    let device = try BareClient(server, "Device", bare_watching, inputs: 2)
    let synth = try SynthServer(server, from: source, to: "Device")
    do throws(SocketError) {
      return (
        try rate(synth.client) { synth.message(Float($0 % 20) / 20) },
        try times(plan.trials, device, synth.client) { synth.message($0 ? 0.5 : 0.25) }
      )
    } catch { throw BenchError("\(error)") }
  }

  // MARK: Figures

  /// Messages of a window, after which the client waits for the answer to `/sync`: as many as a socket's usual buffer holds.
  private static let window = 200
  private static let windows = 200

  /// How many messages a second are carried out.
  private static func rate(
    _ client: OSCClient, _ message: (Int) -> OSCMessage
  ) throws(SocketError) -> Double {
    let packets = (0..<window).map { PacketEncoder.encode(message($0)) }
    let begin = BareClient.now
    for number in 0..<windows {
      for packet in packets { try client.send(bytes: packet) }
      try client.send(OSCMessage("/sync", .int32(Int32(number + 1))))
      while case .message(let answer)? = try client.receive(timeout: .seconds(5)) {
        if answer.address == "/synced" { break }
      }
    }
    return Double(window * windows) / (BareClient.now - begin) * 1_000_000
  }

  /// Sends gains at random moments of the period, and returns the milliseconds until each is heard.
  private static func times(
    _ trials: Int, _ device: BareClient, _ client: OSCClient, _ message: (Bool) -> OSCMessage
  ) throws(SocketError) -> [Double] {
    var (times, isLoud): ([Double], Bool) = ([], false)
    while times.count < trials {
      // Longer than a ramp of 20 ms and its last period, so that the level is constant again.
      usleep(50_000 + UInt32.random(in: 0..<10_000))
      isLoud.toggle()
      let bytes = PacketEncoder.encode(message(isLoud))
      device.watch(for: device.sample)
      let sent = BareClient.now
      try client.send(bytes: bytes)
      var patience = 1_000
      while device.heard == nil, patience > 0 {
        usleep(1_000)
        patience -= 1
      }
      guard let heard = device.heard else { return times }
      times.append((heard - sent) / 1_000)
    }
    return times
  }

  private static let (faders, subscribers) = (64, 32)
  private static let seconds = 5

  /// The share of one processor that the router needs while 64 faders move thirty times a second and 32 clients subscribe to everything.
  private static func feedback(_ server: BenchServer) throws(BenchError) -> Double {
    let preset = try TemporaryFile(Self.preset)
    let router = try ChildClient.router(preset: preset.path, server: server)
    do throws(SocketError) {
      let port = try port(of: router)
      let hand = try OSCClient(port: port)
      for number in 0..<faders {
        try hand.send(OSCMessage("/session/create", .string("s\(number)"), .string("playback")))
      }
      var clients: [OSCClient] = []
      for _ in 0..<subscribers {
        let client = try OSCClient(port: port)
        try client.send(OSCMessage("/subscribe"))
        clients.append(client)
      }
      try awaitSnapshots(of: clients)
      let (before, begin) = (router.threads, BareClient.now)
      for step in 0..<(seconds * 30) {
        for number in 0..<faders {
          try hand.send(OSCMessage("/session/s\(number)/gain", .float(-Float((step + number) % 40))))
        }
        let due = begin + Double(step + 1) * 1_000_000 / 30
        if due > BareClient.now { usleep(UInt32(due - BareClient.now)) }
      }
      let (after, passed) = (router.threads, BareClient.now - begin)
      let time = after.reduce(0) { $0 + $1.value.nanoseconds - (before[$1.key]?.nanoseconds ?? 0) }
      return withExtendedLifetime((router, clients)) { Double(time) / passed / 10 }
    } catch { throw BenchError("\(error)") }
  }

  /// Waits until each client has its whole snapshot.
  private static func awaitSnapshots(of clients: [OSCClient]) throws(SocketError) {
    var (waiting, patience) = (clients, 30_000)
    while !waiting.isEmpty, patience > 0 {
      var left: [OSCClient] = []
      for client in waiting {
        var isDone = false
        while !isDone, let packet = try client.receive(timeout: .zero) {
          isDone = packet.messages.contains { $0.address == "/snapshot/end" }
        }
        if !isDone { left.append(client) }
      }
      waiting = left
      usleep(1_000)
      patience -= 1
    }
  }

  private static let preset = """
    { multiroute: 1, ports: { device: { type: 'usbAudio', outputs: ['Device:playback_*'], channels: 2 } },
    sessions: { show: { category: 'multiRoute', options: ['mixWithOthers'], activate: 'start', streams: {
      main: { channels: 1, from: ['Source:out_*'], to: { device: 0 } } } } } }
    """
}
