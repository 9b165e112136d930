import CBenchReference
import Glibc

/// Measures `multiroute run` as it is shipped: a process of its own with a preset that opens crosspoints of a matrix, beside peers in processes
/// of their own. What counts is the processor time of the thread that mixes, in microseconds for each period, seen from outside.
enum ShippedBench {
  /// All crosspoints of 64 and of 128 channels, to OpenBLAS and `scsynth`.
  static func runDense(
    _ plan: Plan, _ server: BenchServer, _ table: inout ResultTable
  ) throws(BenchError) {
    for channels in [64, 128] {
      // A synthesizer for each of 16,384 crosspoints takes `scsynth` longer than a period.
      let hasSynth = channels == 64
      let show = Show(channels: channels) { _, _ in true }
      let times = try measure(show, [.product, .copiedProduct] + (hasSynth ? [.synth] : []), plan, server)
      let what = "\(channels)x\(channels), multiroute run"
      table.note(what, times.router, " us")
      let products = [times.peers[.product], times.peers[.copiedProduct]].compactMap(\.self)
      table.add("\(what) to the faster sgemm", times.router / (products.min() ?? 0), atMost: 1.05)
      guard let synth = times.peers[.synth] else { continue }
      table.add("\(what) to scsynth", times.router / synth, atMost: 0.25)
    }
  }

  /// Each of 64 inputs heard in two of 64 outputs, to `scsynth`.
  static func runSparse(
    _ plan: Plan, _ server: BenchServer, _ table: inout ResultTable
  ) throws(BenchError) {
    let show = Show(channels: SparseBench.channels, isOpen: SparseBench.isOpen)
    let times = try measure(show, [.idle, .synth], plan, server)
    table.note("sparse, multiroute run", times.router, " us")
    table.note("sparse, nothing in a process of its own", times.peers[.idle] ?? 0, " us")
    table.add(
      "sparse, multiroute run to scsynth", times.router / (times.peers[.synth] ?? 0), atMost: 0.5)
  }

  /// Inputs, outputs, and the crosspoints that are open.
  private struct Show {
    var channels: Int
    var isOpen: (_ input: Int, _ output: Int) -> Bool

    /// Inputs and outputs of the open crosspoints, counted from 0.
    var crosspoints: [(input: Int, output: Int)] {
      (0..<channels).flatMap { input in
        (0..<channels).filter { isOpen(input, $0) }.map { (input: input, output: $0) }
      }
    }

    /// A preset with a session for each input, sent to the outputs at which it is heard.
    var preset: String {
      let ports = (0..<channels).map {
        "o\($0): { type: 'usbAudio', outputs: ['Device:playback_\($0 + 1)'] },"
      }
      let sessions = (0..<channels).map { input in
        let sends = (0..<channels).filter { isOpen(input, $0) }.map { "o\($0): -40" }
        return """
          s\(input): { category: 'multiRoute', options: ['mixWithOthers'], activate: 'start', streams: {
            main: { channels: 1, from: ['Feed:out_*_\(input + 1)'], to: { \(sends.joined(separator: ", ")) } } } },
          """
      }
      return """
        { multiroute: 1, ports: { \(ports.joined(separator: "\n")) },
        sessions: { \(sessions.joined(separator: "\n")) } }
        """
    }
  }

  /// What the router is compared with.
  private enum Peer: String {
    case idle = "Idle"
    case product = "Direct"
    case copiedProduct = "Copied"
    case synth = "scsynth"
  }

  /// Microseconds of all rounds, with half of them in each order of the clients.
  private static func measure(
    _ show: Show, _ peers: [Peer], _ plan: Plan, _ server: BenchServer
  ) throws(BenchError) -> (router: Double, peers: [Peer: Double]) {
    let preset = try TemporaryFile(show.preset)
    var (router, others): ([Double], [Peer: [Double]]) = ([], [:])
    for round in 0..<plan.rounds {
      let times = try Self.round(
        show, peers, preset, plan, server, routerFirst: !round.isMultiple(of: 2))
      router.append(times[0])
      for (peer, time) in zip(peers, times.dropFirst()) { others[peer, default: []].append(time) }
      let list = zip(["router"] + peers.map(\.rawValue), times).map { "\($0) \($1.text)" }
      tell("shipped        \(list.joined(separator: ", ")) us")
    }
    return (router.balanced, others.mapValues(\.balanced))
  }

  /// Measures one round: the router, and then the peers.
  private static func round(
    _ show: Show, _ peers: [Peer], _ preset: TemporaryFile, _ plan: Plan, _ server: BenchServer,
    routerFirst: Bool
  ) throws(BenchError) -> [Double] {
    let (feed, device) = try BenchServer.pinned { () throws(BenchError) in
      (
        try BareClient(server, "Feed", bare_noise, outputs: show.channels),
        try BareClient(server, "Device", bare_watching, inputs: show.channels, isDevice: true)
      )
    }
    // The first client that reads the shared input fetches it into the cache for the others.
    let first = try ChildClient.bare(.idle, "First", server, inputs: show.channels, outputs: show.channels)
    try first.waitUntilReady()
    try feed.feed("First", channels: show.channels)
    let early = routerFirst ? try startRouter(preset, server) : nil
    var (children, synths): ([ChildClient], [SynthServer]) = ([], [])
    for peer in peers {
      let child: ChildClient
      switch peer {
      case .synth:
        let synth = try SynthServer(
          server, from: feed, channels: show.channels, crosspoints: show.crosspoints)
        synths.append(synth)
        child = synth.child
      case .idle, .product, .copiedProduct:
        child = try ChildClient.bare(
          peer == .idle ? .idle : peer == .product ? .product : .copiedProduct, peer.rawValue, server,
          inputs: show.channels, outputs: show.channels)
        try child.waitUntilReady()
        try feed.feed(peer.rawValue, channels: show.channels)
      }
      children.append(child)
    }
    let router: ChildClient
    if let early { router = early } else { router = try startRouter(preset, server) }
    let threads = try ([router] + children).map { child throws(BenchError) in
      try child.audioThread(periods: { feed.periods })
    }
    for _ in 0..<1_000 where device.sample == 0 { usleep(10_000) }
    guard device.sample != 0 else { throw BenchError("the router lets nothing through") }
    usleep(500_000)
    return withExtendedLifetime((feed, device, first, synths)) {
      OwnTime.measure(threads, periods: plan.periods)
    }
  }

  private static func startRouter(
    _ preset: TemporaryFile, _ server: BenchServer
  ) throws(BenchError) -> ChildClient {
    let router = try ChildClient.router(preset: preset.path, server: server)
    try router.waitUntilReady()
    return router
  }
}
