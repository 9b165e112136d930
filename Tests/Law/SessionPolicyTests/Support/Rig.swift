import LawWorld
import SessionModel
import SessionPolicy
import Testing

/// The rig of the conformance scenarios: the ports `spk`, `ear` and `mic`, which are always there, and sessions that play.
struct Rig {
  var world = World()

  init() throws {
    try world.start()
    try world.plug("spk", .builtInSpeaker)
    try world.plug("ear", .builtInReceiver, channels: 1)
    try world.plug("mic", .builtInMic, channels: 1, .input)
  }

  var state: RouterState { world.state }
  subscript(_ id: SessionID) -> Session { world.state.sessions[id]! }

  // MARK: Sessions

  /// Creates an inactive session in the foreground whose program is connected and plays.
  mutating func make(
    _ id: SessionID, _ category: Category = .playback, _ options: Int = 0, _ mode: Mode = .default,
    _ priority: Priority = .normal
  ) throws {
    let options = SessionOptions(rawValue: options)
    try world.handle(
      .createSession(id, SessionConfiguration(category: category, mode: mode, options: options)))
    if category.hasStreams { try world.handle(.createStream(id, "main", channels: 2, placed: true)) }
    try world.handle(.session(id, .priority(priority)))
    try world.handle(.connected(id, true))
    if category.hasOutput { try world.handle(.session(id, .outputIO(.running))) }
  }

  /// Creates such a session and activates it.
  mutating func play(
    _ id: SessionID, _ category: Category = .playback, _ options: Int = 0, _ mode: Mode = .default,
    _ priority: Priority = .normal
  ) throws {
    try make(id, category, options, mode, priority)
    try world.handle(.activate(id))
  }

  /// The call of the scenarios: a session of call class.
  mutating func call(_ id: SessionID = "call") throws { try play(id, .playback, 0, .default, .call) }
  /// The alert of the scenarios: it plays beside the others.
  mutating func alert() throws { try play("alert", .playback, 1, .default, .alert) }

  @discardableResult
  mutating func handle(_ event: Event) throws -> [Notification] { try world.handle(event) }
  @discardableResult
  mutating func activate(_ id: SessionID) throws -> [Notification] { try world.handle(.activate(id)) }
  @discardableResult
  mutating func end(_ id: SessionID, notify: Bool = true) throws -> [Notification] {
    try world.handle(.deactivate(id, notifyingOthers: notify))
  }
  mutating func set(_ id: SessionID, _ category: Category, _ options: Int = 0, _ mode: Mode = .default) throws
  {
    try world.handle(.configure(id, .init(category: category, mode: mode, options: .init(rawValue: options))))
  }
  mutating func refusal(
    setting id: SessionID, _ category: Category, _ options: Int = 0, _ mode: Mode = .default
  ) -> ErrorCode? {
    world.refusal(.configure(id, .init(category: category, mode: mode, options: .init(rawValue: options))))
  }

  static func reduce(_ state: inout RouterState, _ event: Event) throws(SessionError) {
    _ = try Policy.reduce(&state, event, at: 0)
  }

  // MARK: What is heard

  func verdict(_ id: SessionID) -> Verdict { state.verdict(of: self[id], state.activity) }

  /// The level in dB at which a session's source is heard in an output; nil for silence.
  ///
  /// Without a time, the level at the end of all moves of ducks.
  func level(_ id: SessionID, at output: PortID = "spk", time: Double? = nil) -> Double? {
    let session = self[id]
    guard state.isGateOpen(session, state.activity), session.isSent(to: output), session.isConnected,
      !session.isMuted
    else { return nil }
    let duck = session.duck(in: output)
    return session.gain.target + (time.map { duck?.level(at: $0) ?? 0 } ?? duck?.target ?? 0)
  }

  func why(_ id: SessionID) -> String { state.why(self[id], state.activity) }

  /// The duck level of the default settings, in dB.
  static let duck = -14.0
}

extension [Notification] {
  /// The notifications of one session, as words.
  func told(_ id: SessionID) -> [String] {
    compactMap { notification in
      switch notification {
      case .active(id, let isActive, let agent): isActive ? "active" : "inactive(\(agent))"
      case .interruption(id, .began(let reason), let interrupter):
        "began(\(reason.rawValue)) by \(interrupter.name)"
      case .interruption(id, .ended(let shouldResume), let interrupter):
        "ended(\(shouldResume ? 1 : 0)) by \(interrupter.name)"
      case .recommendation(id, let shouldResume): "recommend(\(shouldResume ? 1 : 0))"
      case .hint(id, let isSilenced): "hint(\(isSilenced ? 1 : 0))"
      case .outputMute(id, let isMuted): "outmute(\(isMuted ? 1 : 0))"
      case .session(id, let change): "\(change)"
      case .route(id, let reason, _, _): "route(\(reason.rawValue))"
      case .inputs(id): "inputs"
      case .category(id, _): "category"
      default: nil
      }
    }
  }
}
