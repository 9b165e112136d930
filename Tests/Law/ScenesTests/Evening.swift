import Chance
import JSON5
import Parameters
import Presets
import SessionModel
import SessionPolicy
import Testing

@testable import Scenes

/// A router in memory, on which presets are recalled while time passes.
struct Evening {
  var state: RouterState
  private(set) var time = 0.0
  private var inForce: Preset?
  private var pending: [Ending] = []
  private var end = Double.infinity
  /// The notifications of the last recall or ending.
  private(set) var told: [SessionModel.Notification] = []
  /// The outcome of the last recall.
  private(set) var outcome: RecallOutcome?

  static let law: PresetReader.Policy = { state, event, time throws(SessionError) in
    try Policy.reduce(&state, event, at: time)
  }

  /// A router whose server runs, with two devices.
  init(devices: [(String, PortType)] = [("usb", .usbAudio), ("phones", .headphones)]) throws {
    state = RouterState()
    state.server.isRunning = true
    for (name, type) in devices {
      let id = try #require(PortID(name))
      let globs = (1...2).compactMap { PortGlob("\(name):out_\($0)") }
      try operate(.declarePort(.output, Port(id: id, name: name, type: type, globs: globs, channels: 2)))
    }
    try plug()
  }

  /// Plugs in all outputs.
  mutating func plug() throws {
    for id in state.outputs.keys {
      try operate(.portsPresent([PortPresence(.output, id, members: ["\(id):out_1", "\(id):out_2"])]))
    }
  }

  mutating func operate(_ events: Event...) throws {
    for event in events { _ = try Self.law(&state, event, time) }
  }

  /// Does what an operator does between scenes: levels, mutes and routes.
  ///
  /// - Parameter withGuest: whether the operator also makes a session, which no scene names.
  mutating func disturb(_ seed: UInt64, withGuest: Bool = false) throws {
    var generator = SeededGenerator(seed: seed)
    func chance() -> Bool { Bool.random(using: &generator) }
    for (id, session) in state.sessions {
      if chance() {
        try operate(.session(id, .gain(.set(Double(Int.random(in: -60...0, using: &generator))))))
      }
      if chance() { try operate(.session(id, .muted(chance()))) }
      if chance() { try operate(.session(id, .signalThreshold(.set(-30)))) }
      for stream in session.streams.keys where session.category == .multiRoute && chance() {
        try operate(.destination(id, stream, "phones", .on(chance())))
        try operate(.destination(id, stream, "usb", .gain(.set(-11))))
        try operate(.stream(id, stream, .muted(chance())))
      }
    }
    if chance() {
      try operate(.port(.output, "usb", .gain(.set(-4))), .port(.output, "usb", .delay(.set(0.5))))
    }
    if chance() { try operate(.router(.duckLevel(.set(-20)))) }
    if withGuest {
      try operate(
        .createSession("guest", SessionConfiguration(category: .multiRoute, options: .mixWithOthers)),
        .createStream("guest", "main", channels: 2, placed: true))
    }
  }

  /// Recalls a preset.
  mutating func recall(
    _ text: String, fade: Double = 0, scope: Set<Scope> = Set(Scope.allCases),
    isSafe: (@Sendable (String) -> Bool)? = nil
  ) throws {
    var recall = try planned(text, fade: fade)
    (recall.scope, recall.isSafe) = (scope, isSafe)
    let outcome = try recall.outcome(of: state, at: time, law: Self.law)
    (state, told, pending, self.outcome) = (outcome.state, outcome.notifications, outcome.endings, outcome)
    end = time + fade
    inForce = recall.preset.inForce(after: inForce)
    if fade == 0 { pass(0) }
  }

  /// A recall of a preset now.
  func planned(_ text: String, fade: Double) throws -> Recall {
    let preset = try #require(Self.preset(text), "\(text)")
    var recall = Recall(preset, replacing: inForce.map { Predecessor($0, isEarlierVersion: false) })
    (recall.fade, recall.pending) = (fade, pending)
    return recall
  }

  /// Brings back an earlier state, as an undo does.
  mutating func undo(to origin: RouterState, fade: Double = 0) throws {
    var recall = Recall(
      Preset(of: origin, id: "before"), replacing: inForce.map { Predecessor($0, isEarlierVersion: false) })
    (recall.fade, recall.pending, recall.origin) = (fade, pending, origin)
    let outcome = try recall.outcome(of: state, at: time, law: Self.law)
    (state, told, pending, self.outcome) = (outcome.state, outcome.notifications, outcome.endings, outcome)
    end = time + fade
    if fade == 0 { pass(0) }
  }

  /// What a recall now would change.
  func preview(_ text: String, fade: Double = 0) throws -> [Difference] {
    try planned(text, fade: fade).differences(of: state, at: time, law: Self.law)
  }

  /// Lets time pass, and ends the fade if its time is over.
  mutating func pass(_ seconds: Double) {
    time += seconds
    guard time >= end else { return }
    (state, told) = Ending.conclude(pending, on: state, at: time, law: Self.law)
    (pending, end) = ([], .infinity)
  }

  /// All settings, without the numbers of their changes.
  var settings: String {
    KeptDocument.json(of: state, head: KeptHead(preset: "", path: "", hash: "", time: "")).text
  }

  func level(_ session: SessionID) -> Double? {
    state.sessions[session]?.gain.value(at: time, isLevel: true)
  }

  static func preset(_ text: String) -> Preset? {
    let source = PresetSource(id: "scene", file: "scene.json", bytes: Array(text.utf8))
    return PresetReader(policy: law).read(source) { id throws(PresetLibraryError) in
      throw .unknown(id: id.name, folders: [], nearest: nil)
    }.preset
  }

  /// A preset with these sessions and both devices.
  static func text(_ sessions: String, root: String = "") -> String {
    """
    { multiroute: 1, \(root) ports: { \
    usb: { type: "usbAudio", outputs: ["usb:out_1", "usb:out_2"], channels: 2 }, \
    phones: { type: "headphones", outputs: ["phones:out_1", "phones:out_2"], channels: 2 } }, \
    sessions: { \(sessions) } }
    """
  }
}
