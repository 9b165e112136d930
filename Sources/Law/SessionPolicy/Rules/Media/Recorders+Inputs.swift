import SessionModel

/// Recorders of inputs, which need a session, and what becomes of all recorders when sessions and ports change
/// (docs/develop/law/media.md#8-recorders and #9-recording-an-input).
extension Recorders {
  /// The session by whose permission a recorder records an input; nil for a source that needs none.
  /// - Throws: `SessionError` cannotStartRecording, with the sessions that would do.
  static func holder(
    for recorder: MediaRecorder, in state: RouterState
  ) throws(SessionError) -> SessionID? {
    guard case .input(let input) = recorder.source else { return nil }
    // The newest activation is the one whose program wants the input now.
    let holders = state.sessions.values.filter { $0.mayRecord(input) }
    let newest = holders.sorted { $0.activationNumber > $1.activationNumber }
    guard let first = newest.first else {
      throw SessionError(.cannotStartRecording, refusal(of: recorder.id, input, in: state))
    }
    for session in newest where (try? InputOutput.checkInput(of: session, state.inputs)) != nil {
      return session.id
    }
    try InputOutput.checkInput(of: first, state.inputs)
    return first.id
  }

  private static func refusal(of id: RecorderID, _ input: PortID, in state: RouterState) -> String {
    let sessions = state.sessions.values.filter(\.category.hasInput)
    if let denied = sessions.first(where: { $0.uses(input) }) {
      return
        "\(denied.id) has \(input) as its input, but may not record (permission is \(denied.permission.rawValue)); "
        + "set /session/\(denied.id)/permission granted"
    }
    let rule =
      "\(id) records the input \(input) only while an active session of category record, playAndRecord or multiRoute has it as its input"
    let able = sessions.filter { session in
      session.permission == .granted && state.inputs[input].map { session.mayUse($0, .input) } == true
    }
    guard !able.isEmpty else { return "\(rule); there is none that could" }
    return "\(rule); \(able.map(\.id.name).joined(separator: ", ")) would do"
  }

  /// Lets recorders begin that waited for their device, pauses those whose session is interrupted or whose server is gone, lets them go on,
  /// stops those whose session has ended, and removes those whose source is gone.
  static func follow(_ state: inout RouterState, since before: RouterState, at time: Double) -> [Notification]
  {
    guard !state.recorders.isEmpty else { return [] }
    var told: [Notification] = []
    for id in state.recorders.keys {
      guard let recorder = state.recorders[id] else { continue }
      guard state.has(recorder.source) else {
        told += (try? remove(&state, id)) ?? []
        continue
      }
      if recorder.transport == .waiting { told += begin(&state, recorder, at: time) }
      guard recorder.isRecording || recorder.transport == .interrupted else { continue }
      switch fate(of: recorder, in: state) {
      case .records(let session):
        guard recorder.transport == .interrupted || recorder.session != session else { continue }
        told += start(&state, id, by: session, at: time)
      case .waits:
        told += change(&state, id) { $0.transport = .interrupted }
      case .ends:
        let error = SessionError(
          .cannotStartRecording,
          "\(id) has stopped, because no session may record \(recorder.source.text) any more; its file is complete"
        )
        told += change(&state, id) { $0.stop() }
        told.append(.error(client: 0, address: "/recorder/\(id)/recording", error))
      }
    }
    return told
  }

  /// Begins a recording that waited, if its device is there now, and for an input a session that may record it.
  private static func begin(
    _ state: inout RouterState, _ recorder: MediaRecorder, at time: Double
  ) -> [Notification] {
    guard state.server.isRunning, !state.isAway(recorder.source) else { return [] }
    if let fault = recorder.fault(of: state.channels(of: recorder.source)) {
      let error = SessionError(.badParam, "\(recorder.id) cannot record: \(fault)")
      return change(&state, recorder.id) { $0.stop() }
        + [.error(client: 0, address: "/recorder/\(recorder.id)/recording", error)]
    }
    do throws(SessionError) {
      return start(&state, recorder.id, by: try holder(for: recorder, in: state), at: time)
    } catch {
      return []
    }
  }

  private static func start(
    _ state: inout RouterState, _ id: RecorderID, by session: SessionID?, at time: Double
  ) -> [Notification] {
    change(&state, id) { recorder in
      (recorder.transport, recorder.session) = (.recording, session)
      if let start = recorder.startTime, start <= time { recorder.startTime = nil }
    }
  }

  private enum Fate {
    case records(by: SessionID?)
    case waits
    case ends
  }

  /// What becomes of a recorder that records or is interrupted.
  private static func fate(of recorder: MediaRecorder, in state: RouterState) -> Fate {
    guard case .input(let input) = recorder.source else {
      return state.server.isRunning ? .records(by: nil) : .waits
    }
    if let session = recorder.session.flatMap({ state.sessions[$0] }), session.category.hasInput,
      session.permission == .granted
    {
      if session.mayRecord(input) { return .records(by: session.id) }
      if session.isActive || session.mayComeBack { return .waits }
    }
    // The session has ended. Another one that has the input may take over, but starts nothing that was interrupted.
    guard recorder.isRecording, let other = try? holder(for: recorder, in: state) else { return .ends }
    return .records(by: other)
  }
}

extension Session {
  /// Whether an input is in the route of the session, which is active.
  fileprivate func uses(_ input: PortID) -> Bool { isActive && route.inputs.contains(input) }

  /// Whether an input may be recorded by the permission of the session.
  func mayRecord(_ input: PortID) -> Bool {
    category.hasInput && permission == .granted && uses(input)
  }
}

extension RouterState {
  /// Whether a recorder's source is a device that is not there now.
  func isAway(_ source: RecorderSource) -> Bool {
    switch source {
    case .session, .stream: false
    case .output(let id): outputs[id]?.isAvailable != true
    case .input(let id): inputs[id]?.isAvailable != true
    }
  }
}
