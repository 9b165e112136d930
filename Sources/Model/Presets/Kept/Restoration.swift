import JSON5
import Parameters
public import SessionModel

/// How much of a kept state is restored.
public enum RestorationScope: Sendable {
  /// Everything: the state was kept with the same preset in force.
  case everything
  /// Only objects that the preset still has, and no level above the preset's level, because the preset was edited
  /// since.
  case quieter
  /// Only levels below the preset's levels, because the state was kept with another preset in force.
  case levels
}

extension KeptDocument {
  /// Restores the kept state on a copy of a state. The caller publishes the result once.
  ///
  /// Settings that the law refuses are left out and listed in the result: a device may be gone for good, and
  /// everything else must be restored.
  /// - Parameters:
  ///   - state: the present state, with the preset in force.
  ///   - time: router time in seconds.
  ///   - law: accepts or refuses each event.
  public func restored(
    over state: RouterState, at time: Double, _ scope: RestorationScope, law: @escaping PresetReader.Policy
  ) -> RestoredState {
    var document = document
    var limits = KeptLimits(document.kept)
    let dropped = scope == .everything ? [] : document.dropWhatIsAbsent(in: state, noting: &limits)
    var restoration = Restoration(document, state, at: time, removing: scope == .everything, law)
    restoration.run()
    var (next, told, leftOut) = (restoration.state, restoration.told, dropped + restoration.leftOut)
    switch scope {
    case .everything: break
    case .quieter:
      var quieter = QuieterLevels(next, asIn: state, at: time, law)
      quieter.run()
      (next, told, leftOut) = (quieter.state, told + quieter.told, leftOut + quieter.lowered)
    case .levels:
      var quieter = QuieterLevels(state, asIn: next, at: time, law)
      quieter.run()
      (next, told, leftOut) = (quieter.state, quieter.told, ["everything but lower levels"])
    }
    told += limits.apply(to: &next, at: time, law)
    return RestoredState(state: next, notifications: told, leftOut: leftOut)
  }
}

extension PresetDocument {
  /// Removes players, recorders, sessions and streams that a state does not have, because an edit of the preset has
  /// removed them.
  ///
  /// - Parameter limits: gets the guards and maxima of the removed sessions and streams.
  /// - Returns: the keys of the removed objects, such as `sessions.show.streams.band`.
  fileprivate mutating func dropWhatIsAbsent(in state: RouterState, noting limits: inout KeptLimits)
    -> [String]
  {
    var dropped: [String] = []
    for id in players.keys where !state.players.contains(id) {
      dropped.append("players.\(id)")
      players[id] = nil
    }
    for id in recorders.keys where !state.recorders.contains(id) {
      dropped.append("recorders.\(id)")
      recorders[id] = nil
    }
    for id in groups.keys where !state.groups.contains(id) {
      dropped.append("groups.\(id)")
      groups[id] = nil
    }
    for (id, entry) in sessions {
      guard let session = state.sessions[id] else {
        dropped.append("sessions.\(id)")
        limits.add(id, entry)
        sessions[id] = nil
        continue
      }
      let streams = entry.streams.keys.filter { !session.streams.contains($0) }
      limits.add(id, entry, streams: streams)
      for stream in streams {
        dropped.append("sessions.\(id).streams.\(stream)")
        sessions[id]?.streams[stream] = nil
      }
    }
    return dropped
  }
}

/// Restores the state in a document that a router kept.
///
/// All sessions are inactive while settings change, because the law refuses some settings for active sessions. Some
/// settings activate sessions, so all sessions are deactivated again before any is activated on purpose. So no session
/// is heard that was not heard before the crash.
private struct Restoration {
  /// The kept document without the settings that are made last: whether sessions are in the foreground, and whether
  /// microphones are muted in hardware.
  private var document: PresetDocument
  private let kept: KeptEntry
  /// The settings without a preset key.
  private let settings: [SettingEntry]
  private var background: [SessionID] = []
  private var mutedInputs: [PortID] = []
  private let law: PresetReader.Policy
  private let time: Double
  /// Whether to remove sessions and streams that the kept state does not contain.
  private let removing: Bool
  private(set) var state: RouterState
  private(set) var told: [Notification] = []

  init(
    _ document: PresetDocument, _ state: RouterState, at time: Double, removing: Bool,
    _ law: @escaping PresetReader.Policy
  ) {
    (self.document, self.state, self.time, self.removing, self.law) = (document, state, time, removing, law)
    var kept = document.kept ?? KeptEntry(head: KeptHead(preset: "", path: "", hash: "", time: ""))
    for id in document.sessions.keys
    where self.document.sessions[id]?.leaves.removeValue(of: "foreground") == .flag(false) {
      background.append(id)
    }
    for id in document.ports.keys
    where self.document.ports[id]?.leaves.removeValue(of: "hardware") == .flag(true) {
      mutedInputs.append(id)
    }
    for id in kept.found[.input]?.keys ?? []
    where kept.found[.input]?[id]?.leaves.removeValue(of: "hardware") == .flag(true) {
      mutedInputs.append(id)
    }
    self.document.kept = kept
    self.kept = kept
    settings = document.settings + kept.settings
  }

  mutating func run() {
    // Sessions whose programs were absent and are present now. They have become active automatically.
    var revived = revivable
    // With another value of this setting the law could refuse to deactivate a session that still plays.
    attempt(.router(.deactivation(.succeeds)))
    deactivateSessions()
    if removing {
      for id in state.recorders.keys where !document.recorders.contains(id) {
        attempt(.recorder(id, .remove))
      }
      for id in state.players.keys where !document.players.contains(id) { attempt(.player(id, .remove)) }
      for id in state.groups.keys where !document.groups.contains(id) { attempt(.group(id, .remove)) }
      for id in state.sessions.keys where !document.sessions.contains(id) { attempt(.removeSession(id)) }
    }
    // The law refuses some settings for sessions in the background, and some while a microphone is muted.
    for id in state.sessions.keys where state.sessions[id]?.isForeground == false {
      attempt(.session(id, .foreground(true)))
    }
    for id in state.inputs.keys where state.inputs[id]?.isHardwareMuted == true {
      attempt(.port(.input, id, .hardwareMuted(false)))
    }
    applySteps()
    revived += revivable
    deactivateSessions()
    for id in document.sessions.keys where !isSettled(id) { reopen(id) }
    set(settings.filter { !$0.isConduct })
    for id in mutedInputs { attempt(.port(.input, id, .hardwareMuted(true))) }
    deactivateSessions()
    for id in revived { attempt(.activate(id)) }
    activateSessions()
    notePresent()
    // The law accepts some preferences only for active sessions.
    set(settings.filter { !$0.isConduct })
    keepPreferredChannels()
    for id in background { attempt(.session(id, .foreground(false))) }
    set(settings.filter(\.isConduct))
    resumePlayers()
    // A recording goes on in a new file.
    for step in document.transportOfRecorders(in: state, at: time) {
      if let event = try? step.outcome.get() { attempt(event) }
    }
  }

  /// Restores preferred channels that the law accepts only at a device: the device may be away now, as it was before the crash.
  private mutating func keepPreferredChannels() {
    for setting in settings where !setting.isInForce(in: state, time) {
      guard case .session(let id, .preferredChannels(let direction, let count))? = setting.event else {
        continue
      }
      state.sessions.update(id) { $0.preferredHardware[direction] = count }
    }
  }

  /// Restores the positions of kept players, and starts those that played. All other players stay stopped.
  private mutating func resumePlayers() {
    for id in document.players.keys where state.players.contains(id, where: \.isKept) {
      for step in document.transport(of: id, in: state, at: time) {
        if let event = try? step.outcome.get() { attempt(event) }
      }
    }
  }

  private var revivable: [SessionID] { kept.waiting.filter { state.sessions[$0]?.isActive == true } }

  /// The settings that could not be restored.
  var leftOut: [String] {
    let steps = (steps() + document.transportOfRecorders(in: state, at: time)).filter { step in
      // An address of one direction of a device takes precedence over the device's entry for both directions.
      !self.settings.contains { $0.target == step.target && $0.parameter.key == step.leaf?.leaf.key }
    }
    let settings = self.settings.filter { !$0.isInForce(in: state, time) }
    let silent = kept.active.filter { state.sessions[$0]?.isActive != true }.map { "kept.active: \($0)" }
    return (steps.map(\.place) + settings.map(\.place)).map(\.path.description) + silent
  }

  /// Carries out an event if the law accepts it.
  private mutating func attempt(_ event: Event) {
    guard let notifications = try? law(&state, event, time) else { return }
    told += notifications
    // The state must not remember limits of objects that the restoration removes. `KeptLimits` has the limits to
    // remember.
    state.remembered = RememberedLimits()
  }

  // MARK: Settings

  private func steps() -> [Step] {
    removals() + document.steps(for: state, purpose: .restoration, at: time)
  }

  /// The steps about one session. To filter the steps of all sessions would take quadratic time.
  private func steps(of id: SessionID) -> [Step] {
    let steps = removals(of: id) + document.steps(for: state, purpose: .restoration, of: id, at: time)
    return steps.filter { $0.target.session == id }
  }

  private mutating func applySteps() {
    for step in steps() { if let event = try? step.outcome.get() { attempt(event) } }
  }

  private mutating func set(_ settings: [SettingEntry]) {
    // Each session that had set the level of a shared input holds it again, though the first of them has set it already.
    for setting in settings
    where !setting.isInForce(in: state, time) || setting.parameter.restored == .whileActive {
      if let event = setting.event { attempt(event) }
    }
  }

  /// Steps that remove the preset's objects that the kept state does not contain.
  private func removals(of session: SessionID? = nil) -> [Step] {
    document.sessions(only: session).flatMap { id, entry -> [Step] in
      guard let session = state.sessions[id] else { return [] }
      func step(_ event: Event) -> Step { Step(event, about: Target(session: id), at: entry.place) }
      var steps = session.streams.keys.filter { removing && !entry.streams.contains($0) }.map {
        step(.removeStream(id, $0))
      }
      for (stream, wanted) in entry.streams {
        guard !wanted.isPlacedByDefault, let present = session.streams[stream] else { continue }
        steps += present.events(keeping: { wanted.destinations.contains($0) }, in: id).map(step)
      }
      guard let capture = entry.capture else { return steps + session.withoutCapture.map(step) }
      let named = document.contributions(to: capture)
      return steps + session.withoutSends { !named.contains($0) }.map(step)
    }
  }

  // MARK: Settings that a session has from another category

  private func isSettled(_ id: SessionID) -> Bool { steps(of: id).isEmpty }

  /// Makes a session accept settings from an earlier category.
  ///
  /// A session keeps routes, captures and preferred ports when its category changes to one that refuses them.
  /// So the session goes through the categories that accept them. Meanwhile its streams have no guards, which
  /// is safe: this copy of the state is never heard.
  private mutating func reopen(_ id: SessionID) {
    guard let session = state.sessions[id], !session.isActive else { return }
    let wanted = steps(of: id)
    for stream in session.streams.keys where session.streams[stream]?.never.isEmpty == false {
      attempt(.stream(id, stream, .never([])))
    }
    for configuration in Self.openings {
      attempt(.configure(id, configuration))
      for step in wanted {
        guard let event = try? step.outcome.get(), !event.isConfiguration else { continue }
        attempt(event)
      }
    }
    for step in steps(of: id) {
      if let event = try? step.outcome.get() { attempt(event) }
    }
  }

  /// The first configuration accepts all inputs and a preferred output, the second accepts routes to outputs.
  private static let openings = [
    SessionConfiguration(category: .playAndRecord, options: .allowBluetoothHFP),
    SessionConfiguration(category: .multiRoute),
  ]

  // MARK: Activity

  /// Deactivates sessions without telling others that they may resume.
  private mutating func deactivateSessions() {
    for id in document.sessions.keys {
      if let session = state.sessions[id], !session.isAtRest {
        attempt(.deactivate(id, notifyingOthers: false))
      }
    }
  }

  /// Activates sessions in the original order: first the interrupted sessions, then the interruptions from
  /// outside, then the active sessions, which interrupt the same ones again.
  private mutating func activateSessions() {
    for id in kept.interrupted { attempt(.activate(id)) }
    // Only one call is possible at a time. If a session's call and a call from outside are both on, the session's call
    // began first.
    for id in kept.active where kept.interruptions.contains(where: \.isOn) && isCall(id) {
      attempt(.activate(id))
    }
    for source in kept.interruptions {
      if source.isRinging { attempt(.ring(source.id, true)) }
      if source.isOn { attempt(.beginInterruption(source.id, source.reason)) }
    }
    for id in kept.active { attempt(.activate(id)) }
    // A session that was interrupted, and would not be interrupted in the present state, stays silent.
    for id in kept.interrupted where state.sessions[id]?.displacement == nil {
      attempt(.deactivate(id, notifyingOthers: false))
    }
  }

  /// Notes programs and signals that were present. Still present, they activate no session, because only those do that appear. The router
  /// notices when they are gone.
  private mutating func notePresent() {
    for id in kept.present {
      state.sessions.update(id) { session in
        switch session.activation {
        case .start, .connected: session.isConnected = true
        case .signal: (session.isSignalling, session.isHeldBack) = (true, !session.isActive)
        case .manual: break
        }
      }
    }
  }

  private func isCall(_ id: SessionID) -> Bool {
    state.sessions.contains(id) { $0.priority == .call && !$0.isMixable }
  }
}

extension [Leaf] {
  /// Removes a leaf and returns its value.
  fileprivate mutating func removeValue(of key: String) -> Value? {
    firstIndex { $0.key == key }.map { remove(at: $0).value }
  }
}

extension Session {
  /// Whether the session is inactive and waits for nothing.
  fileprivate var isAtRest: Bool { !isActive && displacement == nil && !mayReturn && refusal == nil }
}

extension SettingEntry {
  /// Whether the entry sets the conduct of deactivations, which must not change before the end.
  fileprivate var isConduct: Bool {
    if case .router(.deactivation)? = event { true } else { false }
  }
}

extension Event {
  fileprivate var isConfiguration: Bool { if case .configure = self { true } else { false } }
}
