import CBenchReference
import CRealtime
import Glibc
import OSC
import Presets
import Scenes
import SessionModel
import SessionPolicy

/// Measures recalls of 64 sessions: how long the engine of scenes takes to decide, how long `multiroute run` keeps another client waiting,
/// how soon the new scene is heard, and what the fade costs the audio thread.
///
/// Every level of the second scene differs from the first one. The scenes take turns, as they do when an operator goes back and forth.
enum RecallBench {
  static let period = 64
  private static let sessions = 64
  /// The milliseconds that a decision may take.
  private static let longestDecision = 10.0

  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    for (text, outputs) in [("64 sessions at one output each", 1), ("64 sessions, 4,096 crosspoints", 64)] {
      let times = try decide(plan, outputs)
      tell(
        "recall         \(text): fastest \(times.quantile(0).text), median \(times.median.text), slowest "
          + "\(times.quantile(1).text) ms")
      table.add("recall of \(text), decided, median", times.median, " ms", atMost: longestDecision)
    }
    try hear(plan, server, &table)
  }

  // MARK: The decision

  /// The milliseconds of each decision.
  private static func decide(_ plan: Plan, _ outputs: Int) throws(BenchError) -> [Double] {
    let scenes = [try scene("first", outputs, level: -10), try scene("second", outputs, level: -20)]
    var (state, times) = (try house(outputs), [Double]())
    for scene in scenes { state = try outcome(Recall(scene), of: state).state }
    for trial in 0..<plan.trials / 10 {
      let (next, former) = (scenes[trial % 2], scenes[(trial + 1) % 2])
      var recall = Recall(next, replacing: Predecessor(former, isEarlierVersion: false))
      recall.fade = 2
      let begin = mr_monotonic_nanoseconds()
      let outcome = try outcome(recall, of: state)
      times.append(Double(mr_monotonic_nanoseconds() - begin) / 1_000_000)
      guard outcome.moving.count >= sessions * outputs else {
        throw BenchError("\(outcome.moving.count) levels move")
      }
      state = outcome.state
    }
    return times
  }

  private static func outcome(_ recall: Recall, of state: RouterState) throws(BenchError) -> RecallOutcome {
    do throws(RecallRefusal) { return try recall.outcome(of: state, at: 1, law: Policy.reduce) } catch {
      throw BenchError(error.sentence)
    }
  }

  /// A scene of 64 sessions that play, each with a stream that goes to a number of outputs of one channel.
  private static func text(_ outputs: Int, level: Int) -> String {
    let ports = (0..<outputs).map {
      #""out-\#($0)": { "type": "usbAudio", "outputs": ["Device:playback_\#($0 + 1)"] }"#
    }
    let sessions = (0..<64).map { index in
      let sends = (0..<outputs).map { #""out-\#($0)": \#(level - (index + $0) % 7)"# }
      return """
        "s\(index)": { "category": "multiRoute", "activate": "manual", "active": true,
          "gain": \(level - index % 5), "streams": { "main": { "channels": 1, "from": ["Feed:out_*_\(index + 1)"],
            "to": { \(sends.joined(separator: ", ")) } } } }
        """
    }
    return """
      { "multiroute": 1, "ports": { \(ports.joined(separator: ",\n")) },
        "sessions": { \(sessions.joined(separator: ",\n")) } }
      """
  }

  private static func scene(_ id: PresetID, _ outputs: Int, level: Int) throws(BenchError) -> Preset {
    let text = text(outputs, level: level)
    let source = PresetSource(id: id, file: id.name, bytes: Array(text.utf8))
    let reader = PresetReader(policy: Policy.reduce)
    let (preset, problems) = reader.read(source) { (id) throws(PresetLibraryError) in
      throw .unknown(id: id.name, folders: [], nearest: nil)
    }
    guard let preset else { throw BenchError("\(problems)") }
    return preset
  }

  /// A router that has a server and the devices of the scenes.
  private static func house(_ outputs: Int) throws(BenchError) -> RouterState {
    var (state, server) = (RouterState(), ServerState())
    (server.isRunning, server.rate, server.period) = (true, 48_000, 64)
    let presences = (0..<outputs).map {
      PortPresence(.output, PortID("out-\($0)")!, members: ["Device:playback_\($0 + 1)"])
    }
    do throws(SessionError) {
      _ = try Policy.reduce(&state, .server(server), at: 0)
      for index in 0..<outputs {
        let id = PortID("out-\(index)")!
        let port = Port(id: id, name: id.name, type: .usbAudio, globs: [], channels: 1)
        _ = try Policy.reduce(&state, .declarePort(.output, port), at: 0)
      }
      _ = try Policy.reduce(&state, .portsPresent(presences), at: 0)
    } catch {
      throw BenchError(error.sentence)
    }
    return state
  }

  // MARK: The program

  /// Measures `multiroute run` with 4,096 crosspoints that all play.
  ///
  /// The moment of the router's decision is not seen from outside. So the time counts from the command to the sound: the ten milliseconds that a
  /// decision may take, and two periods.
  private static func hear(
    _ plan: Plan, _ server: BenchServer, _ table: inout ResultTable
  ) throws(BenchError) {
    let (feed, device) = try BenchServer.pinned { () throws(BenchError) in
      (
        try BareClient(server, "Feed", bare_level, outputs: sessions),
        try BareClient(server, "Device", bare_watching, inputs: 64, isDevice: true)
      )
    }
    let library = try TemporaryFolder()
    try library.write(text(64, level: -40), to: "first.json")
    try library.write(text(64, level: -50), to: "second.json")
    let router = try ChildClient.router(preset: "first", library: library.path, server: server)
    let port = try router.waitUntilReady()
    let thread = try router.audioThread(periods: { feed.periods })
    var (first, waits, starts, edited): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
    var (recalled, moved, ahead): ([Double], [Double], [Double]) = ([], [], [])
    // A second and a half of a fade of two seconds.
    let periods = UInt64(1.5 * 48_000) / UInt64(period)
    do {
      let (operating, other) = (try OSCClient(port: port), try OSCClient(port: port))
      try operating.send(OSCMessage("/preset/guard", .float(0)))
      try operating.send(OSCMessage("/preset/fade", .float(2)))
      // The router reads both scenes from their files once.
      for scene in ["second", "first"] {
        if let heard = try recall(scene, operating, device) { first.append(heard) }
        usleep(2_300_000)
      }
      for round in 0..<max(2, plan.rounds) {
        let scene = round.isMultiple(of: 2) ? "second" : "first"
        if let heard = try recall(scene, operating, device) { starts.append(heard) }
        recalled.append(OwnTime.measure([thread], periods: periods)[0])
        usleep(800_000)
        for session in 0..<sessions {
          let address = "/session/s\(session)/stream/main/to/*/gain/fade"
          try operating.send(OSCMessage(address, .float(round.isMultiple(of: 2) ? -40 : -50), .float(2)))
        }
        try operating.ping()
        moved.append(OwnTime.measure([thread], periods: periods)[0])
        usleep(800_000)
      }
      for round in 0..<max(2, plan.rounds) {
        let (scene, level) = round.isMultiple(of: 2) ? ("second", -50) : ("first", -40)
        try library.write(text(64, level: level) + "// edited \(round)", to: "\(scene).json")
        if let heard = try recall(scene, operating, device) { edited.append(heard) }
        usleep(2_300_000)
      }
      for round in 0..<max(2, plan.rounds) {
        let scene = round.isMultiple(of: 2) ? "second" : "first"
        if let heard = try goTo(scene, operating, device) { ahead.append(heard) }
        usleep(2_300_000)
      }
      for round in 0..<max(2, plan.rounds) {
        waits.append(try wait(for: round.isMultiple(of: 2) ? "second" : "first", operating, other, device))
        usleep(2_300_000)
      }
    } catch {
      throw BenchError("\(error)")
    }
    withExtendedLifetime((feed, device, router)) {}
    let limit = longestDecision + 2 * Double(period) / 48
    tell(
      "recall         another client waits \(waits.median.text), most \(waits.quantile(1).text) ms; heard after "
        + "\(starts.quantile(0).text) to \(starts.quantile(1).text) ms; fade \(recalled.median.text), faders "
        + "\(moved.median.text) us a period")
    table.note("4,096 crosspoints, another client waits for a recall", waits.median, " ms")
    table.add(
      "4,096 crosspoints, from GO to the first change that is heard", ahead.median, " ms", atMost: limit)
    table.add(
      "the same from the recall of a preset that is not on standby", starts.median, " ms", atMost: limit)
    table.note("the same when the preset is read for the first time", first.median, " ms")
    table.note("the same after an edit of the preset's file", edited.median, " ms")
    table.add(
      "4,096 crosspoints, audio thread in a recall's fade to moving faders",
      recalled.balanced / moved.balanced, atMost: 1.1)
  }

  /// Recalls a scene, with another fade than that of the presets on standby, so that its recall is not decided ahead.
  /// - Returns: the milliseconds until the first change is heard; nil if none is.
  private static func recall(
    _ scene: String, _ operating: OSCClient, _ device: BareClient
  ) throws(SocketError) -> Double? {
    try timeUntilHeard(OSCMessage("/preset/recall", .string(scene), .float(2.01)), operating, device)
  }

  /// Puts a scene on standby, and recalls it by GO after a moment.
  /// - Returns: the milliseconds until the first change is heard; nil if none is.
  private static func goTo(
    _ scene: String, _ operating: OSCClient, _ device: BareClient
  ) throws(SocketError) -> Double? {
    try operating.send(OSCMessage("/preset/standby", .string(scene)))
    usleep(1_000_000)
    return try timeUntilHeard(OSCMessage("/preset/go"), operating, device)
  }

  /// - Returns: the milliseconds from a command to the first change of the sound; nil if none comes.
  private static func timeUntilHeard(
    _ command: OSCMessage, _ operating: OSCClient, _ device: BareClient
  ) throws(SocketError) -> Double? {
    try operating.ping()
    device.watch(for: device.sample)
    let sent = BareClient.now
    try operating.send(command)
    while device.heard == nil, BareClient.now < sent + 2_000_000 { usleep(1_000) }
    return device.heard.map { ($0 - sent) / 1_000 }
  }

  /// Recalls a scene while another client asks on and on.
  /// - Returns: the longest wait of the other client in milliseconds.
  private static func wait(
    for scene: String, _ operating: OSCClient, _ other: OSCClient, _ device: BareClient
  ) throws(SocketError) -> Double {
    try other.ping()
    device.watch(for: device.sample)
    let sent = BareClient.now
    try operating.send(OSCMessage("/preset/recall", .string(scene), .float(2.01)))
    var longest = 0.0
    while device.heard == nil, BareClient.now < sent + 2_000_000 {
      let asked = BareClient.now
      try other.ping()
      longest = max(longest, BareClient.now - asked)
    }
    return longest / 1_000
  }
}

extension OSCClient {
  /// Waits until the router has carried out what was sent before.
  func ping() throws(SocketError) {
    try send(OSCMessage("/ping"))
    while case .message(let message)? = try receive(timeout: .seconds(5)), message.address != "/pong" {}
  }
}
