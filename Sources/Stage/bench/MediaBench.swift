import CBenchReference
import Glibc
import OSC
import SoundFiles
import SystemCalls

/// Measures players and recorders of `multiroute run`: the audio thread beside `ecasound` with as many files, the threads that read and
/// write files, and the memory of players at rest.
enum MediaBench {
  static let period = 64
  private static let recorders = 8

  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    let device = try BenchServer.pinned { () throws(BenchError) in
      try BareClient(server, "Device", bare_watching, inputs: 2, isDevice: true)
    }
    let files = try TemporaryFolder()
    // Long enough for a round; every file of its own, as in a show.
    let frames = 48_000 * 8
    for number in 1...64 {
      let samples = (0..<frames).map { Float(($0 * number) % 97) / 9_700 }
      do throws(MediaError) {
        // Most files have 16 bits.
        try write(samples, "\(files.path)/\(number).wav", bits: 16)
        try write(Array(samples.prefix(48_000)), "\(files.path)/\(number).float.wav", bits: 32)
      } catch { throw BenchError("\(error)") }
    }
    do {
      table.note("a client that does nothing, in a process of its own", try idle(server, device, plan), " us")
      for count in [1, 8, 64] {
        var (ours, theirs): ([Double], [Double]) = ([], [])
        for round in 0..<plan.rounds {
          for isRouter in round.isMultiple(of: 2) ? [true, false] : [false, true] {
            if isRouter {
              ours.append(try router(server, device, files, count, plan))
            } else {
              theirs.append(try ecasound(server, device, files, count, plan))
            }
          }
        }
        tell("media          \(count) players: router \(ours.map(\.text)), ecasound \(theirs.map(\.text)) us")
        table.note("\(count) stereo players, ecasound", theirs.balanced, " us")
        table.add(
          "\(count) stereo players, the router to ecasound", ours.balanced / theirs.balanced, atMost: 0.5)
      }
      try shares(server, device, files, plan, &table)
      try memory(server, files, &table)
    } catch let error as BenchError { throw error } catch { throw BenchError("\(error)") }
  }

  private static func write(_ samples: [Float], _ path: String, bits: Int) throws(MediaError) {
    let writer = try SoundFileWriter(
      newPath: path, SoundCoding(.wav, bits: bits), channelCount: 2, sampleRate: 48_000)
    try writer.write([samples, samples])
    try writer.close()
  }

  // MARK: The audio thread

  /// The microseconds of an idle client with two outputs for each period.
  private static func idle(_ server: BenchServer, _ device: BareClient, _ plan: Plan) throws -> Double {
    let child = try BenchServer.pinned { () throws(BenchError) in
      try ChildClient.bare(.idle, "Idle", server, inputs: 0, outputs: 2)
    }
    try child.waitUntilReady()
    let thread = try child.audioThread(periods: { device.periods })
    return withExtendedLifetime(child) { OwnTime.measure([thread], periods: length(plan))[0] }
  }

  /// The microseconds of the router's audio thread for each period.
  private static func router(
    _ server: BenchServer, _ device: BareClient, _ files: TemporaryFolder, _ count: Int, _ plan: Plan
  ) throws -> Double {
    let (child, surface) = try start(server, files)
    try create(count, surface)
    try order("play", count, surface)
    try awaitSound(device)
    let thread = try child.audioThread(periods: { device.periods })
    return withExtendedLifetime((child, surface)) { OwnTime.measure([thread], periods: length(plan))[0] }
  }

  /// The microseconds of all threads of `ecasound` that run in each period: JACK's, and the one to which it hands the period. The thread
  /// that reads files does not count.
  private static func ecasound(
    _ server: BenchServer, _ device: BareClient, _ files: TemporaryFolder, _ count: Int, _ plan: Plan
  ) throws -> Double {
    let child = try BenchServer.pinned { () throws(BenchError) in
      try ChildClient.ecasound((1...count).map { "\(files.path)/\($0).wav" }, period: period, server)
    }
    try awaitSound(device, "ecasound")
    let (threads, begin) = (child.process.threads, device.periods)
    usleep(UInt32(Double(length(plan)) * Double(period) / 48_000 * 1_000_000))
    let (after, periods) = (child.process.threads, device.periods - begin)
    let busy = after.filter { $0.value.runs - (threads[$0.key]?.runs ?? 0) > periods / 2 }
    guard !busy.isEmpty else { throw BenchError("ecasound has no audio thread") }
    let time = busy.reduce(0) { $0 + $1.value.nanoseconds - (threads[$1.key]?.nanoseconds ?? 0) }
    return withExtendedLifetime(child) { Double(time) / Double(max(1, periods)) / 1_000 }
  }

  /// The periods of a round, less than a file has.
  private static func length(_ plan: Plan) -> UInt64 { min(plan.periods, 3_000) }

  private static func awaitSound(_ device: BareClient, _ who: String = "the router") throws {
    device.watch(for: 0)
    for _ in 0..<10_000 {
      if device.heard != nil { return }
      usleep(1_000)
    }
    throw BenchError("\(who) is not heard after ten seconds")
  }

  // MARK: The other threads

  private static func shares(
    _ server: BenchServer, _ device: BareClient, _ files: TemporaryFolder, _ plan: Plan,
    _ table: inout ResultTable
  ) throws {
    let (child, surface) = try start(server, files)
    try create(64, surface)
    for number in 1...recorders {
      try surface.send(OSCMessage("/recorder/create", .string("r\(number)"), .string("output:device")))
      try surface.send(OSCMessage("/recorder/r\(number)/record"))
    }
    try order("play", 64, surface)
    try awaitSound(device)
    let (before, begin) = (child.process.threads, BareClient.now)
    usleep(4_000_000)
    let (after, passed) = (child.process.threads, BareClient.now - begin)
    for (name, text) in [("mr-reader", "reader"), ("mr-writer", "writer")] {
      let time = after.filter { $0.value.name == name }
        .reduce(0) { $0 + $1.value.nanoseconds - (before[$1.key]?.nanoseconds ?? 0) }
      table.note("\(text) thread, 64 players and \(recorders) recorders", Double(time) / passed / 10, " %")
    }
    for number in 1...recorders { try surface.send(OSCMessage("/recorder/r\(number)/stop")) }
    try surface.settle()
    withExtendedLifetime((child, surface)) {}
  }

  // MARK: Memory

  private static func memory(
    _ server: BenchServer, _ files: TemporaryFolder, _ table: inout ResultTable
  ) throws {
    let (child, surface) = try start(server, files)
    // The first player starts the threads of the media.
    try create(1, surface)
    let empty = child.megabytesAtRest
    try create(65, from: 2, surface)
    let made = child.megabytesAtRest
    try order("prepare", 65, from: 2, surface)
    let prepared = child.megabytesAtRest
    table.add("64 players that are not prepared, memory", made - empty, " MB", atMost: 2)
    table.add("64 players prepared and stopped, memory", prepared - empty, " MB", atMost: 16)
    for number in 2...65 {
      try surface.send(OSCMessage("/player/p\(number)/file", .string("\((number - 1) % 64 + 1).float.wav")))
    }
    try order("prepare", 65, from: 2, surface)
    table.note("the same of files with floating-point numbers", child.megabytesAtRest - empty, " MB")
    withExtendedLifetime((child, surface)) {}
  }

  // MARK: Commands

  private static func start(_ server: BenchServer, _ files: TemporaryFolder) throws -> (
    ChildClient, OSCClient
  ) {
    let preset = try TemporaryFile(preset)
    let child = try BenchServer.pinned { () throws(BenchError) in
      try ChildClient.router(preset: preset.path, media: files.path, server: server)
    }
    return (child, try OSCClient(port: try child.waitUntilReady()))
  }

  private static func create(_ count: Int, from first: Int = 1, _ surface: OSCClient) throws {
    for number in first...count {
      try surface.send(
        OSCMessage(
          "/player/create", .string("p\(number)"), .string("show.music"),
          .string("\((number - 1) % 64 + 1).wav")))
    }
    try surface.settle()
  }

  private static func order(_ verb: String, _ count: Int, from first: Int = 1, _ surface: OSCClient) throws {
    for number in first...count { try surface.send(OSCMessage("/player/p\(number)/\(verb)")) }
    try surface.settle()
  }

  private static let preset = """
    { "multiroute": 1, "ports": { "device": { "type": "usbAudio", "outputs": ["Device:playback_*"], "channels": 2 } },
      "sessions": { "show": { "category": "multiRoute", "activate": "start", "streams": {
        "music": { "channels": 2, "to": { "device": 0 } } } } } }
    """
}

extension OSCClient {
  /// Waits until the router has carried out what was sent before.
  fileprivate func settle() throws(SocketError) {
    try send(OSCMessage("/ping"))
    while case .message(let message)? = try receive(timeout: .seconds(5)), message.address != "/pong" {}
  }
}
