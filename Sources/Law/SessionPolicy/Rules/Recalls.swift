import SessionModel

/// Notes which preset is in force, which one is on standby, and whether the operator has changed anything since
/// (docs/develop/law/recalls.md).
enum Recalls {
  static func take(
    _ state: inout RouterState, _ event: PresetEvent, at time: Double
  ) throws(SessionError) -> [Notification] {
    switch event {
    case .library(let library, let order): (state.presets.library, state.presets.order) = (library, order)
    case .ordered(let id, let isStep):
      try checkOrder(state.presets, id, isStep: isStep, at: time)
      state.presets.ordered = PresetStatus.Ordered(id, at: time)
    case .failed: state.presets.ordered = nil
    case .read: state.presets.isModifiedSinceRead = false
    case .stored(let id):
      show(id, in: &state.presets)
      // Files take their time. A change meanwhile is not in them.
      state.presets.isModified = state.presets.isModifiedSinceRead ?? false
      state.presets.isModifiedSinceRead = nil
    case .began(let id, let fade):
      show(id, in: &state.presets)
      begin(&state.presets, fade, at: time)
      return [.preset(id, .started, fade: fade)]
    case .returned(let id, let standby, let isModified, let fade):
      (state.presets.current, state.presets.standby) = (id, standby)
      state.presets.isModified = isModified
      begin(&state.presets, fade, at: time)
      return id.map { [.preset($0, .started, fade: fade)] } ?? []
    case .reloaded(let id, let fade):
      begin(&state.presets, fade, at: time)
      return [.preset(id, .started, fade: fade)]
    case .ended: state.presets.fading = nil
    case .modified(let isModified): state.presets.isModified = isModified
    }
    return []
  }

  /// Notes the preset in force. The one behind it is on standby.
  private static func show(_ id: PresetID, in presets: inout PresetStatus) {
    (presets.current, presets.isModified) = (id, false)
    presets.standby = presets.neighbour(of: id, 1)
  }

  private static func begin(_ presets: inout PresetStatus, _ fade: Double, at time: Double) {
    presets.fading = fade > 0 ? PresetStatus.Fading(start: time, seconds: fade) : nil
  }

  /// Ignores a second press of a button: the same preset, or a further step, within the guard time.
  private static func checkOrder(
    _ presets: PresetStatus, _ id: PresetID, isStep: Bool, at time: Double
  ) throws(SessionError) {
    guard let last = presets.ordered, time - last.time < presets.guardTime, isStep || last.preset == id else {
      return
    }
    throw SessionError(
      .rateLimited,
      "\(last.preset) was recalled less than \(presets.guardTime) s ago (/preset/guard), so this counts as a second press of the same button"
    )
  }

  static func set(_ state: inout RouterState, _ setting: PresetSetting) throws(SessionError) {
    switch setting {
    case .fade(let seconds): state.presets.fade = seconds
    case .guardTime(let seconds): state.presets.guardTime = seconds
    case .scope(let scope): state.presets.scope = scope
    case .safes(let patterns): state.presets.safes = patterns
    case .standby(let id):
      let library = state.presets.library
      // At a start, a kept standby may be set before the library is known.
      guard let id, !library.isEmpty, !library.contains(id) else {
        state.presets.standby = id
        return
      }
      throw SessionError(
        .notFound,
        "there is no preset \(id); \(NearestName.hint(for: id.name, among: library.keys.map(\.name)))")
    }
  }

  /// Notes that a setting has changed since the recall.
  static func apply(_ state: inout RouterState, after event: Event) {
    let (isReading, isNews) = (
      state.presets.isModifiedSinceRead == false, !state.presets.isModified && state.presets.current != nil
    )
    guard isReading || isNews, !state.isRecalling, event.isStored else { return }
    if isReading { state.presets.isModifiedSinceRead = true }
    if isNews { state.presets.isModified = true }
  }
}

extension Event {
  /// Whether the event changes a setting that presets contain.
  fileprivate var isStored: Bool {
    switch self {
    case .createSession, .removeSession, .configure, .activate, .deactivate, .session, .createStream,
      .removeStream, .stream, .destination, .captureSession, .captureInput, .row, .port, .channel, .group:
      true
    case .player(_, let event): event.isStored
    case .recorder(_, let event): event.isStored
    case .router(let setting):
      switch setting {
      case .ramp, .fadeCurve, .duckLevel, .duckAttack, .duckRelease, .duckScope, .interruptionScope,
        .strips(.all), .strips(.one):
        true
      default: false
      }
    default: false
    }
  }
}

extension MediaPlayerEvent {
  /// Whether the event changes what presets contain of a player.
  fileprivate var isStored: Bool {
    switch self {
    case .create, .remove, .set, .queue: true
    case .order, .report: false
    }
  }
}

extension MediaRecorderEvent {
  /// Whether the event changes what presets contain of a recorder.
  fileprivate var isStored: Bool {
    switch self {
    case .create, .remove, .set: true
    case .order, .report: false
    }
  }
}
