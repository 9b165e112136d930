import SessionModel

/// Decides the commands to recorders, and what follows from what they report (docs/law/media.md).
enum Recorders {
  static func decide(
    _ state: inout RouterState, _ id: RecorderID, _ event: MediaRecorderEvent, at time: Double
  ) throws(SessionError) -> [Notification] {
    switch event {
    case .create(let source):
      guard state.recorders[id] == nil else {
        throw SessionError(
          .exists, "there is a recorder \(id) already; remove it first or choose another id")
      }
      guard state.recorders.count < RouterState.maximumRecorders else {
        throw SessionError(
          .full, "there are \(state.recorders.count) recorders, the maximum; remove one first")
      }
      state.recorders[id] = MediaRecorder(id: id, source: source)
      return [.recorder(id, .created)]
    case .remove:
      guard state.recorders.contains(id) else {
        throw missing("recorder", id.name, among: state.recorders.keys)
      }
      state.recorders[id] = nil
      return [.recorder(id, .removed)]
    case .set(let setting): try set(&state, id, setting)
    case .order(let order): return try obey(&state, id, order, at: time)
    case .report(let report): return take(&state, id, report)
    }
    return []
  }

  private static func set(
    _ state: inout RouterState, _ id: RecorderID, _ setting: RecorderSetting
  ) throws(SessionError) {
    try state.withRecorder(id) { recorder in
      switch setting {
      case .format(let format): recorder.format = format
      case .quality(let quality): recorder.quality = quality
      case .rate(let rate): recorder.rate = rate
      case .channels(let channels): recorder.channels = channels
      case .bits(let bits): recorder.bits = bits
      case .template(let template): recorder.template = template
      case .limit(let seconds): recorder.limit = seconds
      case .before(let seconds): recorder.before = seconds
      }
    }
  }

  private static func obey(
    _ state: inout RouterState, _ id: RecorderID, _ order: RecorderOrder, at time: Double
  ) throws(SessionError) -> [Notification] {
    let before = state.recorders[id]?.state
    try state.withRecorder(id) { recorder in
      recorder.orders += 1
      switch order {
      case .record(let delay):
        recorder.transport = .recording
        recorder.startTime = delay > 0 ? time + delay : nil
      case .pause: if recorder.isRecording { recorder.transport = .paused }
      case .stop: recorder.transport = .stopped
      case .prepare: recorder.isPrepared = true
      }
    }
    guard let now = state.recorders[id]?.state, now != before else { return [] }
    return [.recorder(id, .state(now))]
  }

  private static func take(
    _ state: inout RouterState, _ id: RecorderID, _ report: RecorderReport
  ) -> [Notification] {
    switch report {
    case .facts(let facts): state.recorders.update(id) { $0.facts = facts }
    case .started: state.recorders.update(id) { $0.startTime = nil }
    case .limit, .failed: state.recorders.update(id) { $0.transport = .stopped }
    }
    return []
  }
}

extension RouterState {
  /// Changes a recorder in place.
  /// - Throws: `SessionError` notFound, with the names that exist, if there is no such recorder; what `body` throws.
  mutating func withRecorder<Result>(
    _ id: RecorderID, _ body: (inout MediaRecorder) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    guard let result = try recorders.update(id, body) else {
      throw missing("recorder", id.name, among: recorders.keys)
    }
    return result
  }
}
