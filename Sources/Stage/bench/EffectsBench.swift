import CBenchReference
import Glibc
import OSC
import SystemCalls

/// Measures sixteen stereo equalizers of `multiroute run` and its effects program, beside sixteen processes of `jalv` with the same plugin.
///
/// What counts is the processor time of all threads of these programs.
enum EffectsBench {
  static let period = 64
  private static let count = 16
  /// What the short name `eq` means for two channels.
  private static let plugin = "http://gareus.org/oss/lv2/fil4#stereo"

  /// What programs need.
  private struct Cost {
    /// Microseconds of each period, of all threads.
    var time: Double
    /// The part of it in the router's audio thread.
    var callback = 0.0
    /// Megabytes of the programs with the plugins.
    var memory = 0.0
  }

  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    let (feed, device) = try BenchServer.pinned { () throws(BenchError) in
      (
        try BareClient(server, "Feed", bare_noise, outputs: 2 * count),
        try BareClient(server, "Device", bare_watching, inputs: 2, isDevice: true)
      )
    }
    var (ours, plain, theirs): ([Cost], [Cost], [Cost]) = ([], [], [])
    for round in 0..<plan.rounds {
      for turn in round.isMultiple(of: 2) ? [0, 1, 2] : [2, 1, 0] {
        switch turn {
        case 0: ours.append(try router("eq", server, device, plan))
        case 1: plain.append(try router(nil, server, device, plan))
        default: theirs.append(try hosts(server, feed, device, plan))
        }
      }
    }
    tell(
      "effects        router \(ours.map(\.time.text)), without effects \(plain.map(\.time.text)), jalv \(theirs.map(\.time.text)) us; "
        + "callback \(ours.map(\.callback.text)), without effects \(plain.map(\.callback.text)) us")
    func middle(_ costs: [Cost], _ part: (Cost) -> Double) -> Double { costs.map(part).balanced }
    let name = "\(count) stereo equalizers"
    table.note("\(name), of a core", share(middle(ours, \.time)), " %")
    table.note("\(name), of a core, jalv", share(middle(theirs, \.time)), " %")
    table.add("\(name), of a core, to jalv", middle(ours, \.time) / middle(theirs, \.time), atMost: 0.7)
    table.add(
      "\(name), in the callback, less that without", middle(ours, \.callback) - middle(plain, \.callback),
      " us", atMost: 3)
    table.add("\(name), the effects program's memory", middle(ours, \.memory), " MB", atMost: 80)
    table.note("\(name), memory, jalv", middle(theirs, \.memory), " MB")
  }

  /// The percentage of a core that some microseconds of each period are.
  private static func share(_ microseconds: Double) -> Double {
    microseconds * 100 / (Double(period) / 48_000 * 1_000_000)
  }

  // MARK: The router

  /// The router with an effect in each stream; nil for none.
  private static func router(
    _ effect: String?, _ server: BenchServer, _ device: BareClient, _ plan: Plan
  ) throws(BenchError) -> Cost {
    let preset = try TemporaryFile(preset(effect))
    let child = try BenchServer.pinned { () throws(BenchError) in
      try ChildClient.router(preset: preset.path, server: server)
    }
    let port = try child.waitUntilReady()
    var programs = [child.process]
    if effect != nil {
      try awaitEffects(port)
      programs += child.process.children
      guard programs.count == 2 else { throw BenchError("the router has \(programs.count - 1) programs") }
    }
    try awaitSound(device, "the router")
    let callback = try child.audioThread(periods: { device.periods })
    let times = OwnTime.measure([callback, time(of: programs, device)], periods: plan.periods)
    if programs.count == 2 { try check(programs[1], device) }
    return withExtendedLifetime(child) {
      Cost(time: times[1], callback: times[0], memory: programs.dropFirst().reduce(0) { $0 + $1.megabytes })
    }
  }

  /// Waits until all effects work.
  private static func awaitEffects(_ port: UInt16) throws(BenchError) {
    do throws(SocketError) {
      let client = try OSCClient(port: port)
      for number in 1...count {
        let address = "/session/show/stream/s\(number)/effect/1/state"
        var isWorking = false
        while !isWorking {
          try client.send(OSCMessage(address))
          guard case .message(let answer)? = try client.receive(timeout: .seconds(60)) else {
            throw SocketError.system(call: "receive", number: ETIMEDOUT, address: nil)
          }
          isWorking = answer.address == address && answer.arguments == [.string("working")]
          if !isWorking { usleep(10_000) }
        }
      }
    } catch { throw BenchError("the effects do not work: \(error)") }
  }

  /// Makes sure that the plugins run in each period.
  private static func check(_ program: SystemProcess, _ device: BareClient) throws(BenchError) {
    func runs() -> UInt64 {
      program.threads.values.filter { $0.name == "fx-sound" }.reduce(0) { $0 + $1.runs }
    }
    let (begin, periods) = (runs(), device.periods)
    while device.periods < periods + 200 { usleep(2_000) }
    guard runs() - begin > 180 else { throw BenchError("the effects program does not run in each period") }
  }

  private static func preset(_ effect: String?) -> String {
    let chain = effect.map { ", effects: ['\($0)']" } ?? ""
    let streams = (1...count).map {
      "s\($0): { channels: 2, from: ['Feed:out_\($0)_*'], to: { device: -30 }\(chain) }"
    }
    return """
      { multiroute: 1, ports: { device: { type: 'usbAudio', outputs: ['Device:playback_*'], channels: 2 } },
      sessions: { show: { category: 'multiRoute', activate: 'start', streams: {
        \(streams.joined(separator: ",\n")) } } } }
      """
  }

  // MARK: jalv

  private static func hosts(
    _ server: BenchServer, _ feed: BareClient, _ device: BareClient, _ plan: Plan
  ) throws(BenchError) -> Cost {
    let children = try BenchServer.pinned { () throws(BenchError) in
      try (1...count).map { number throws(BenchError) in
        try ChildClient.jalv(plugin, name: "Host \(number)", server)
      }
    }
    for number in 1...count {
      for (index, side) in ["L", "R"].enumerated() {
        try feed.connect(
          BareClient.output(2 * number - 1 + index, of: feed.name), "Host \(number):in\(side)", within: 60)
        try feed.connect("Host \(number):out\(side)", "Device:playback_\(index + 1)", within: 60)
      }
    }
    try awaitSound(device, "jalv")
    let programs = children.map(\.process)
    return withExtendedLifetime(children) {
      Cost(
        time: OwnTime.measure([time(of: programs, device)], periods: plan.periods)[0],
        memory: programs.reduce(0) { $0 + $1.megabytes })
    }
  }

  // MARK: Both

  private static func awaitSound(_ device: BareClient, _ who: String) throws(BenchError) {
    device.watch(for: 0)
    for _ in 0..<10_000 where device.heard == nil { usleep(1_000) }
    guard device.heard != nil else { throw BenchError("\(who) is not heard after ten seconds") }
    // Until all have come to rest that starts.
    usleep(1_000_000)
  }

  /// The time of all threads of some programs.
  private static func time(of programs: [SystemProcess], _ device: BareClient) -> OwnTime {
    OwnTime(
      nanoseconds: {
        programs.reduce(0) { $0 + $1.threads.values.reduce(0) { $0 + $1.nanoseconds } }
      }, periods: { device.periods })
  }
}
