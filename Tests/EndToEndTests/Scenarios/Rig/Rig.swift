import Foundation
import OSC
import TestKit
import Testing

/// What the scenarios are played on: fixed ports, programs with a sine each, and a router without sessions.
///
/// Ports: `spk` built-in speaker (2), `ear` built-in receiver (1), `mic` built-in microphone (1), which hears a sine of its own. A
/// program `App-a` is a JACK client that plays the sine of session `a`.
///
/// Unchecked: the suites that share a rig run one test after the other.
final class Rig: @unchecked Sendable {
  /// How the server runs, always: at the end of freewheeling jackd puts back the cables that there were at its beginning, and
  /// goes mad over those whose ports are gone.
  enum Pace {
    /// As fast as it can: a second of sound takes ten milliseconds, and what is heard does not depend on how busy the machine is.
    case freewheel
    /// For what counts seconds, and for programs that die.
    case realTime
  }

  /// Hz of each program's sine: whole cycles in every window that levels are measured in, and far apart for the click detector.
  static let sines = [
    "a": 500, "b": 1_100, "c": 1_700, "m": 2_300, "call": 2_900, "alert": 3_500, "x": 4_100, "y": 4_700,
    "mic": 5_300,
  ]
  /// dBFS of each sine.
  static let level = -20.0
  /// Seconds without any program after which a session has vanished: the configuration's default.
  static let liveness = 1.0

  private static let preset = """
    { "multiroute": 1, "ports": {
      "spk": { "type": "builtInSpeaker", "outputs": ["spk:playback_*"], "channels": 2, "ceiling": 0 },
      "ear": { "type": "builtInReceiver", "outputs": ["ear:playback_*"], "channels": 1, "ceiling": 0 },
      "mic": { "type": "builtInMic", "inputs": ["mic:capture_*"], "channels": 1 } } }
    """

  let server: PrivateServer
  let stage: StageProcess
  let folder: TemporaryFolder
  private(set) var router: RouterProcess
  private(set) var surface: ControlSurface
  let pace: Pace
  /// What the sessions were told and nobody asked about yet, in order.
  var told: [(session: String, told: Told, message: OSCMessage)] = []
  /// Ids of the sessions that a scenario made.
  var sessions: [String] = []
  /// What a scenario changed beside its sessions, to be put back.
  private var changes: [() throws -> Void] = []
  /// All readable leaves while there is no session.
  private var leavesAtFirst: [String: [OSCArgument]] = [:]

  init(_ pace: Pace) async throws {
    self.pace = pace
    server = try await PrivateServer()
    stage = try server.stage()
    folder = try TemporaryFolder()
    for device in ["device spk 2 0", "device ear 1 0", "device mic 0 1", "listener Recorder 1"] {
      try stage.do(device)
    }
    for id in Self.sines.keys {
      try stage.do(id == "mic" ? "play mic 1 \(Self.sine(id))" : "source \(Self.source(of: id))")
    }
    let preset = try folder.write(Self.preset, to: "rig.json")
    router = try RouterProcess(preset: preset, server: server.name, in: folder, owners: [stage, server])
    surface = try ControlSurface(port: router.port)
    if pace == .freewheel { try stage.do("freewheel on") }
    try listen()
  }

  /// The words that make the stage start a program.
  static func source(of id: String) -> String { "App-\(id) 1 \(sine(id))" }

  /// Listens to a router that has just started.
  private func listen() throws {
    try surface.subscribe("/event/*")
    try frames(20_000)
    leavesAtFirst = try leaves()
  }

  /// Starts the router anew, with all its counts at zero.
  func restart() throws {
    if router.child.isRunning { _ = router.terminate() }
    router = try RouterProcess(
      preset: folder.file("rig.json"), server: server.name, in: folder, flags: ["--fresh"],
      owners: [stage, server])
    surface = try ControlSurface(port: router.port)
    sessions = []
    told = []
    try listen()
  }

  // MARK: Between scenarios

  /// The rig of the suites that share one, as it was at first.
  static func fresh() throws -> Rig {
    let rig = try #require(RigTrait.rig, "the suite has no rig")
    try rig.clear()
    return rig
  }

  /// Puts back what the last scenario changed.
  func clear() throws {
    let undone = changes.reversed()
    changes = []
    for change in undone { try change() }
    guard router.child.isRunning else { return try restart() }
    for id in sessions {
      do {
        try surface.send("/session/remove", .string(id))
      } catch let refusal as ControlSurface.Refusal where refusal.symbol == "notFound" {
        // The scenario removed it itself.
        continue
      }
    }
    sessions = []
    try surface.sync()
    // What was removed fades out before its ports are free again.
    try frames(4_800)
    try forgetEvents()
    let now = try leaves()
    guard now == leavesAtFirst else {
      let left = Set(now.keys).union(leavesAtFirst.keys).filter { now[$0] != leavesAtFirst[$0] }
      Issue.record("the last scenario left behind: \(left.sorted())")
      return try restart()
    }
  }

  /// Notes how to put back something that a scenario changes.
  func afterwards(_ change: @escaping () throws -> Void) { changes.append(change) }

  /// Lets some sound pass.
  func frames(_ count: Int) throws { try stage.do("frames \(count)") }

  // MARK: Reading

  /// Every readable leaf.
  func leaves() throws -> [String: [OSCArgument]] {
    note(surface.takeInbox())
    try surface.tell("/snapshot")
    try surface.wait(for: "/snapshot/end")
    let messages = surface.takeInbox()
    note(messages)
    let leaves = messages.filter { message in
      !["/event/", "/seq", "/alive", "/snapshot"].contains { message.address.hasPrefix($0) }
    }
    return Dictionary(leaves.map { ($0.address, $0.arguments) }) { _, last in last }
  }

  func number(_ address: String) throws -> Double { try surface.number(address) }

  func text(_ address: String) throws -> String { try surface.text(address) }
}
