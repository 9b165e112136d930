import Foundation
import JackServer
import OSC
import StageKit
import TestKit
import Testing

/// The rig of the scenarios: ports, programs with a sine each, and a router that starts without sessions.
///
/// `Output` and `Input` are the ports; at the start of a scenario only the fixed ones are plugged in. Each input picks up a sine
/// of its own. A program `App-a` is a JACK client that plays the sine of session `a`; `App-pair` plays two.
///
/// Unchecked: the suites that share a rig run one test after the other.
final class Rig: @unchecked Sendable {
  /// How the server runs, always: at the end of freewheeling jackd restores the connections that existed at its beginning, and
  /// goes mad over those whose ports are gone.
  enum Pace {
    /// As fast as it can: a second of sound takes ten milliseconds, and what is heard does not depend on how busy the machine is.
    case freewheel
    /// Real time, for scenarios that count seconds or kill programs.
    case realTime
  }

  /// Hz of each sine. Every measurement window has whole cycles, and the sines are far apart for the click detector.
  static let sines = [
    "a": 500, "b": 1_100, "c": 1_700, "m": 2_300, "call": 2_900, "alert": 3_500, "x": 4_100, "y": 4_700,
    "mic": 5_300, "hsmic": 5_900, "usb": 6_500, "back": 7_100, "usbin": 7_700, "hfp": 8_300, "left": 8_900,
    "right": 9_500,
  ]
  /// The programs that play one sine.
  static let programs = ["a", "b", "c", "m", "call", "alert", "x", "y"]
  /// Other names than in the other place for servers: `PrivateServer.Place`.
  private static let flags = ["--name", "router-of-rig"]
  /// dBFS of each sine.
  static let level = -20.0
  /// Seconds without any program after which a session has vanished: the configuration's default.
  static let liveness = 1.0

  let server: PrivateServer
  let stage: StageProcess
  let folder: TemporaryFolder
  private(set) var router: RouterProcess
  private(set) var surface: ControlSurface
  let pace: Pace
  let wiring: RigWiring
  /// The devices that the scenario plugged in, in order.
  var plugged: [Device] = []
  /// Whether a scenario plugged in anything, so that more than the fixed outputs must be listened to.
  var hasPlugged = false
  /// The events of sessions that no expectation has consumed, in order.
  var told: [(session: String, told: Told, message: OSCMessage)] = []
  /// Ids of the sessions that a scenario made.
  var sessions: [String] = []
  /// Work that undoes the scenario's changes, apart from sessions.
  private var changes: [() throws -> Void] = []
  /// All readable leaves while there is no session.
  private var leavesAtFirst: [String: [OSCArgument]] = [:]

  init(_ pace: Pace) async throws {
    self.pace = pace
    wiring = RigWiring(pace: pace)
    server = try await PrivateServer(in: .rig) { settings in
      // With short periods freewheel runs slower, so that less unneeded sound is recorded.
      if pace == .freewheel { settings.period = 256 }
    }
    stage = try server.stage()
    folder = try TemporaryFolder()
    for client in wiring.clients { try Self.add(client, to: stage) }
    try stage.do("listener Tape 1")
    for id in Self.programs { try stage.do("source \(Self.source(of: id))") }
    try stage.do("source App-pair 2 \(Self.sine("left"))")
    try stage.do("play App-pair 2 \(Self.sine("right"))")
    let preset = try folder.write(wiring.preset, to: "rig.json")
    router = try RouterProcess(
      preset: preset, server: server.name, in: folder, flags: Self.flags, owners: [stage, server])
    surface = try ControlSurface(port: router.port)
    if pace == .freewheel { try stage.do("freewheel on") }
    try listen()
  }

  /// Adds the clients that simulate devices. Devices that scenarios plug in are absent at first.
  private static func add(_ client: RigWiring.Client, to stage: StageProcess) throws {
    let sines = client.inputs.flatMap(\.sines)
    let outputs = client.outputs.map(\.channels).reduce(0, +)
    try stage.do("device \(client.name) \(outputs) \(sines.count)")
    for case (let channel, let id?) in zip(1..., sines) {
      try stage.do("play \(client.name) \(channel) \(sine(id))")
    }
    if client.isPlugged { try stage.do("unplug \(client.name)") }
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
      preset: folder.file("rig.json"), server: server.name, in: folder, flags: Self.flags + ["--fresh"],
      owners: [stage, server])
    surface = try ControlSurface(port: router.port)
    sessions = []
    (plugged, hasPlugged) = ([], false)
    told = []
    try listen()
  }

  // MARK: Between scenarios

  /// The shared rig, reset to its first state.
  static func fresh() throws -> Rig {
    let rig = try #require(RigTrait.rig, "the suite has no rig")
    try rig.clear()
    return rig
  }

  /// Undoes the changes of the last scenario.
  func clear() throws {
    let undone = changes.reversed()
    changes = []
    for change in undone { try change() }
    for device in plugged.reversed() { try unplug(device) }
    guard router.child.isRunning else { return try restart() }
    for id in sessions {
      do {
        try surface.send("/session/remove", .string(id))
      } catch let refusal as ControlSurface.Refusal where refusal.symbol == "notFound" {
        // The scenario has removed the session itself.
        continue
      }
    }
    sessions = []
    hasPlugged = false
    try surface.sync()
    // A removed session fades out before its ports are free again.
    try frames(4_800)
    try forgetEvents()
    let now = try leaves()
    guard now == leavesAtFirst else {
      let left = Set(now.keys).union(leavesAtFirst.keys).filter { now[$0] != leavesAtFirst[$0] }
      Issue.record("the last scenario left behind: \(left.sorted())")
      return try restart()
    }
  }

  /// Notes work that undoes a change at the end of the scenario.
  func afterwards(_ change: @escaping () throws -> Void) { changes.append(change) }

  /// Lets some sound pass.
  func frames(_ count: Int) throws { try stage.do("frames \(count)") }

  // MARK: Reading

  /// Every readable leaf. The mark that the state was modified is left out, because only a recall removes it; alarms and the
  /// state of voice processing are, because they depend on the time.
  func leaves() throws -> [String: [OSCArgument]] {
    note(surface.takeInbox())
    try surface.tell("/snapshot")
    try surface.wait(for: "/snapshot/end")
    let messages = surface.takeInbox()
    note(messages)
    let leaves = messages.filter { message in
      !["/event/", "/seq", "/alive", "/snapshot", "/preset/modified", "/health/"].contains {
        message.address.hasPrefix($0)
      } && !message.address.hasSuffix("/voice/state")
    }
    return Dictionary(leaves.map { ($0.address, $0.arguments) }) { _, last in last }
  }

  func number(_ address: String) throws -> Double { try surface.number(address) }

  func text(_ address: String) throws -> String { try surface.text(address) }
}
