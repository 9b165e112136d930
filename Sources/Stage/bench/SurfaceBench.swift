import CBenchReference
import Glibc
import OSC
import SystemCalls

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
    table.note("the datagrams of that feedback, sent by a bare loop, of one core", try bareFeedback(), " %")
    table.add(
      "feedback of 64 moving faders to 32 subscribers, of one core", try feedback(server), " %", atMost: 15)
    table.add(
      "the last of 20,000 messages a second on one fader, until it is in force",
      try storm(server, seconds: plan.rounds), " ms", atMost: 50)
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
        try times(
          plan.trials, device, { OSCMessage("/session/show/stream/main/gain", .float($0 ? -6 : -12)) },
          send: { bytes throws(SocketError) in try client.send(bytes: bytes) })
      )
    } catch { throw BenchError("\(error)") }
  }

  static func port(of router: ChildClient) throws(SocketError) -> UInt16 {
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
        try times(
          plan.trials, device, { synth.message($0 ? 0.5 : 0.25) },
          send: { bytes throws(SocketError) in try synth.client.send(bytes: bytes) })
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
  static func times(
    _ trials: Int, _ device: BareClient, _ message: (Bool) -> OSCMessage,
    send: ([UInt8]) throws(SocketError) -> Void
  ) throws(SocketError) -> [Double] {
    var (times, isLoud): ([Double], Bool) = ([], false)
    while times.count < trials {
      // Longer than a ramp of 20 ms and its last period, so that the level is constant again.
      usleep(50_000 + UInt32.random(in: 0..<10_000))
      isLoud.toggle()
      let bytes = PacketEncoder.encode(message(isLoud))
      device.watch(for: device.sample)
      let sent = BareClient.now
      try send(bytes)
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

  static let (faders, subscribers) = (64, 32)
  private static let seconds = 5

  /// The share of one processor that the router needs while 64 faders move thirty times a second and 32 clients subscribe to everything.
  private static func feedback(_ server: BenchServer) throws(BenchError) -> Double {
    let preset = try TemporaryFile(Self.preset)
    let router = try ChildClient.router(preset: preset.path, server: server)
    do throws(SocketError) {
      let port = try port(of: router)
      let hand = try hand(at: port)
      var clients: [OSCClient] = []
      for _ in 0..<subscribers {
        let client = try OSCClient(port: port)
        try client.send(OSCMessage("/subscribe"))
        clients.append(client)
      }
      try awaitSnapshots(of: clients)
      return try withExtendedLifetime(clients) { () throws(SocketError) in try move(hand, router) }
    } catch { throw BenchError("\(error)") }
  }

  /// A client that has made a session for each fader.
  static func hand(at port: UInt16) throws(SocketError) -> OSCClient {
    let hand = try OSCClient(port: port)
    for number in 0..<faders {
      try hand.send(OSCMessage("/session/create", .string("s\(number)"), .string("playback")))
    }
    // The sessions are there before others connect.
    try hand.send(OSCMessage("/sync", .int32(1)))
    while case .message(let answer)? = try hand.receive(timeout: .seconds(5)) {
      if answer.address == "/synced" { break }
    }
    return hand
  }

  /// Moves the faders thirty times a second, and returns the share of one processor that the router needs meanwhile.
  ///
  /// - Parameter read: called thirty times a second.
  static func move(
    _ hand: OSCClient, _ router: ChildClient, read: () -> Void = {}
  ) throws(SocketError) -> Double {
    let (before, begin) = (router.process.threads, BareClient.now)
    for step in 0..<(seconds * 30) {
      for number in 0..<faders {
        try hand.send(OSCMessage("/session/s\(number)/gain", .float(-Float((step + number) % 40))))
      }
      read()
      let due = begin + Double(step + 1) * 1_000_000 / 30
      if due > BareClient.now { usleep(UInt32(due - BareClient.now)) }
    }
    let (after, passed) = (router.process.threads, BareClient.now - begin)
    let time = after.reduce(0) { $0 + $1.value.nanoseconds - (before[$1.key]?.nanoseconds ?? 0) }
    return Double(time) / passed / 10
  }

  /// The share of one processor that a loop needs which only sends as many datagrams as 64 moving faders give 32 subscribers: eight of 1,200
  /// bytes for each, thirty times a second.
  private static func bareFeedback() throws(BenchError) -> Double {
    var receivers: [Int32] = []
    defer { for receiver in receivers { System.close(receiver) } }
    do {
      var clients: [OSCClient] = []
      for _ in 0..<subscribers {
        let (receiver, port) = try Self.receiver()
        receivers.append(receiver)
        clients.append(try OSCClient(port: port))
      }
      let bytes = [UInt8](repeating: 0, count: 1_200)
      let (before, begin) = (processorTime, BareClient.now)
      for step in 0..<(seconds * 30) {
        for client in clients {
          // A receiver that is full loses datagrams, as it does in the other run.
          for _ in 0..<8 { try client.send(bytes: bytes) }
        }
        let due = begin + Double(step + 1) * 1_000_000 / 30
        if due > BareClient.now { usleep(UInt32(due - BareClient.now)) }
      }
      return (processorTime - before) / (BareClient.now - begin) * 100
    } catch { throw BenchError("\(error)") }
  }

  /// A socket that receives datagrams, which stay unread, and its port.
  private static func receiver() throws(SystemError) -> (descriptor: Int32, port: UInt16) {
    let descriptor = try System.socket(.ipv4, .datagram)
    try System.bind(descriptor, to: .ipv4(host: 0x7f00_0001, port: 0))
    guard case .ipv4(_, let port) = try System.getsockname(descriptor) else { return (descriptor, 0) }
    return (descriptor, port)
  }

  /// Microseconds of processor time of the calling thread.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1_000
  }

  /// Milliseconds from the last message of a storm at one fader until the audio thread has adopted its value.
  private static func storm(_ server: BenchServer, seconds: Int) throws(BenchError) -> Double {
    let preset = try TemporaryFile(Self.preset)
    let router = try ChildClient.router(preset: preset.path, server: server)
    do throws(SocketError) {
      let hand = try OSCClient(port: try port(of: router))
      let begin = BareClient.now
      for step in 0..<(seconds * 1_000) {
        for number in 0..<20 {
          try hand.send(OSCMessage("/session/show/gain", .float(-Float((step + number) % 40))))
        }
        let due = begin + Double(step + 1) * 1_000
        if due > BareClient.now { usleep(UInt32(due - BareClient.now)) }
      }
      let last = [OSCMessage("/session/show/gain", .float(-3)), OSCMessage("/sync", .int32(1))]
      let sent = BareClient.now
      try hand.send(.bundle(OSCBundle(last.map(OSCPacket.message))))
      while let packet = try hand.receive(timeout: .seconds(5)) {
        if packet.messages.contains(where: { $0.address == "/synced" }) { break }
      }
      return withExtendedLifetime(router) { (BareClient.now - sent) / 1_000 }
    } catch { throw BenchError("\(error)") }
  }

  /// Waits until each client has its whole snapshot.
  static func awaitSnapshots(of clients: [OSCClient]) throws(SocketError) {
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

  static let preset = """
    { multiroute: 1, ports: { device: { type: 'usbAudio', outputs: ['Device:playback_*'], channels: 2 } },
    sessions: { show: { category: 'multiRoute', options: ['mixWithOthers'], activate: 'start', streams: {
      main: { channels: 1, from: ['Source:out_*'], to: { device: 0 } } } } } }
    """
}
