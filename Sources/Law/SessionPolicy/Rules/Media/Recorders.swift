import SessionModel

/// Decides the commands to recorders, and what follows from what they report (docs/develop/law/media.md#8-recorders).
enum Recorders {
  static func decide(
    _ state: inout RouterState, _ id: RecorderID, _ event: MediaRecorderEvent, at time: Double
  ) throws(SessionError) -> [Notification] {
    switch event {
    case .create(let source): return try create(&state, id, source)
    case .remove: return try remove(&state, id)
    case .set(let setting):
      try check(setting)
      return try state.changeRecorder(id) { recorder throws(SessionError) in recorder.set(setting) }
    case .order(let order): return try obey(&state, id, order, at: time)
    case .report(let report): return take(&state, id, report)
    }
  }

  private static func create(
    _ state: inout RouterState, _ id: RecorderID, _ source: RecorderSource
  ) throws(SessionError) -> [Notification] {
    guard state.recorders[id] == nil else {
      throw SessionError(.exists, "there is a recorder \(id) already; remove it first or choose another id")
    }
    guard state.recorders.count < RouterState.maximumRecorders else {
      throw SessionError(
        .full, "there are \(state.recorders.count) recorders, the maximum; remove one first")
    }
    switch source {
    case .session(let session): try state.withSession(session) { _ throws(SessionError) in }
    case .stream(let session, let stream): try state.withStream(session, stream) { _ throws(SessionError) in }
    case .output(let port): try check(port, .output, in: state)
    case .input(let port): try check(port, .input, in: state)
    }
    state.recorders[id] = MediaRecorder(id: id, source: source)
    return [.recorder(id, .created)]
  }

  /// Checks a setting by itself. Which ones go together counts when a file begins, because a recall sets them one after the other.
  private static func check(_ setting: RecorderSetting) throws(SessionError) {
    switch setting {
    case .bits(let bits) where !MediaRecorder.depths.contains(bits):
      throw SessionError(.badParam, "samples have 16, 24 or 32 bits, not \(bits)")
    case .rate(let rate) where (1..<MediaRecorder.lowestRate).contains(rate):
      throw SessionError(
        .badParam,
        "recordings have a rate from \(MediaRecorder.lowestRate) Hz on, not \(rate); 0 is the server's rate")
    case .template(let text):
      guard let fault = MediaRecorder.fault(ofTemplate: text) else { return }
      throw SessionError(.badValue, "'\(text)' is no name of recordings: \(fault)")
    default: break
    }
  }

  private static func check(
    _ port: PortID, _ direction: Direction, in state: RouterState
  ) throws(SessionError) {
    guard state[direction].contains(port) else {
      throw missing(direction.rawValue, port.name, among: state[direction].keys)
    }
  }

  /// Removes a recorder. Its file is finished and stays.
  static func remove(_ state: inout RouterState, _ id: RecorderID) throws(SessionError) -> [Notification] {
    var told = try state.changeRecorder(id) { recorder throws(SessionError) in recorder.stop() }
    state.recorders[id] = nil
    told.append(.recorder(id, .removed))
    return told
  }

  private static func obey(
    _ state: inout RouterState, _ id: RecorderID, _ order: RecorderOrder, at time: Double
  ) throws(SessionError) -> [Notification] {
    guard let recorder = state.recorders[id] else {
      throw missing("recorder", id.name, among: state.recorders.keys)
    }
    var (session, waits) = (SessionID?.none, false)
    if case .record = order {
      guard state.server.isRunning else {
        throw SessionError(
          .mediaServicesFailed,
          "there is no audio server, so nothing can be recorded; wait for /event/media reset")
      }
      if let fault = recorder.fault(of: state.channels(of: recorder.source)) {
        throw SessionError(.badParam, "\(id) cannot record: \(fault)")
      }
      waits = state.isAway(recorder.source)
      if !waits { session = try holder(for: recorder, in: state) }
    }
    return try state.changeRecorder(id) { recorder throws(SessionError) in
      recorder.orders += 1
      switch order {
      case .record(let delay):
        // What records goes on in its file, also a scheduled time later.
        guard !recorder.isRunning else { return }
        (recorder.transport, recorder.session) = (waits ? .waiting : .recording, session)
        recorder.startTime = delay > 0 ? time + delay : nil
      case .pause:
        if recorder.transport == .waiting { return recorder.stop() }
        guard recorder.isRecording || recorder.transport == .interrupted else { return }
        // A start that was only scheduled has made no file.
        if recorder.isRecording, recorder.startTime != nil, !recorder.facts.isOpen { return recorder.stop() }
        (recorder.transport, recorder.startTime) = (.paused, nil)
      case .stop: recorder.stop()
      case .prepare: recorder.isPrepared = true
      }
    }
  }

  private static func take(
    _ state: inout RouterState, _ id: RecorderID, _ report: RecorderReport
  ) -> [Notification] {
    switch report {
    case .facts(let facts): state.recorders.update(id) { $0.facts = facts }
    case .started: return change(&state, id) { $0.startTime = nil }
    case .limit:
      guard state.recorders[id]?.transport == .recording else { return [] }
      return change(&state, id) { $0.stop() } + [.recorder(id, .finished)]
    case .failed(let error):
      guard state.recorders.contains(id) else { return [] }
      return change(&state, id) { $0.stop() } + [
        .recorder(id, .failed), .error(client: 0, address: "/recorder/\(id)", error),
      ]
    }
    return []
  }

  /// Changes a recorder that exists by a change that cannot fail.
  static func change(
    _ state: inout RouterState, _ id: RecorderID, _ body: (inout MediaRecorder) -> Void
  ) -> [Notification] {
    (try? state.changeRecorder(id) { recorder throws(SessionError) in body(&recorder) }) ?? []
  }
}

extension RouterState {
  /// Changes a recorder in place, and the number of recorders that record by the permission of its session.
  /// - Returns: that the recorder has another state.
  /// - Throws: `SessionError` notFound, with the names that exist, if there is no such recorder; what `body` throws.
  mutating func changeRecorder(
    _ id: RecorderID, _ body: (inout MediaRecorder) throws(SessionError) -> Void
  ) throws(SessionError) -> [Notification] {
    guard let before = recorders[id] else { throw missing("recorder", id.name, among: recorders.keys) }
    var recorder = before
    try body(&recorder)
    recorders[id] = recorder
    if before.isRunning, let session = before.session {
      sessions.update(session) { $0.runningRecorders -= 1 }
    }
    if recorder.isRunning, let session = recorder.session {
      sessions.update(session) { $0.runningRecorders += 1 }
    }
    return recorder.state == before.state ? [] : [.recorder(id, .state(recorder.state))]
  }
}

extension MediaRecorder {
  /// Stops and finishes the file.
  mutating func stop() {
    (transport, isPrepared, startTime, session) = (.stopped, false, nil, nil)
  }

  fileprivate mutating func set(_ setting: RecorderSetting) {
    switch setting {
    case .format(let wanted): format = wanted
    case .quality(let wanted): quality = wanted
    case .rate(let wanted): rate = wanted
    case .channels(let wanted): channels = wanted
    case .bits(let wanted): bits = wanted
    case .template(let wanted): template = wanted
    case .limit(let seconds): limit = seconds
    case .before(let seconds): before = seconds
    }
  }
}
