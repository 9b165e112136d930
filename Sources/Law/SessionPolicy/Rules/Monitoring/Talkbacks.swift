import SessionModel

/// Decides which talkbacks are open, and to which outputs a talkback may speak (docs/develop/law/solo.md#5-talkback).
enum Talkbacks {
  static func set(
    _ state: inout RouterState, _ id: SessionID, _ setting: TalkbackSetting
  ) throws(SessionError) {
    guard var session = state.sessions[id] else {
      throw missing("session", id.name, among: state.sessions.keys)
    }
    switch setting {
    case .outputs(let outputs, let groups):
      for output in outputs where !state.outputs.contains(output) {
        throw unknown(.output, output, among: state.outputs.keys)
      }
      for group in groups where !state.groups.contains(group) {
        throw missing("group", group.name, among: state.groups.keys)
      }
      (session.talkback.outputs, session.talkback.groups) = (outputs, groups)
      try check(session, in: state)
    case .dim(let level): session.talkback.dim = level
    case .latch(let seconds): session.talkback.latch = seconds
    case .alarm(let seconds): session.talkback.alarm = seconds
    }
    state.sessions[id] = session
  }

  /// Takes a removed group out of all talkbacks.
  static func forget(_ group: GroupID, in state: inout RouterState) {
    for id in state.sessions.keys(where: { $0.talkback.groups.contains(group) }) {
      state.sessions.update(id) { $0.talkback.groups.removeAll { $0 == group } }
    }
  }

  /// Takes a press or a release of the button. A short press latches; the release after the next press ends that.
  static func press(
    _ state: inout RouterState, _ id: SessionID, _ isPressed: Bool, at time: Double
  ) throws(SessionError) {
    guard let session = state.sessions[id] else {
      throw missing("session", id.name, among: state.sessions.keys)
    }
    guard let index = state.monitoring.talkbacks.firstIndex(where: { $0.session == id }) else {
      guard isPressed else { return }
      try checkOpening(session, in: state)
      state.monitoring.talkbacks.append(OpenTalkback(id, at: time))
      return
    }
    var open = state.monitoring.talkbacks[index]
    if isPressed {
      // A second press of a button that is held is none.
      guard open.press == nil else { return }
      (open.press, open.closesOnRelease) = (time, true)
    } else {
      guard let press = open.press, !open.closesOnRelease, time - press < session.talkback.latch else {
        state.monitoring.talkbacks.remove(at: index)
        return
      }
      open.press = nil
    }
    state.monitoring.talkbacks[index] = open
  }

  /// Closes the talkbacks that are none any more, and all of them while there is no audio server: a microphone must not open by itself when the
  /// server returns.
  static func apply(_ state: inout RouterState) {
    guard !state.monitoring.talkbacks.isEmpty else { return }
    let talkbacks = state.monitoring.talkbacks
    let kept =
      state.server.isRunning
      ? talkbacks.filter { open in
        guard let session = state.sessions[open.session], !state.talkbackOutputs(of: session).isEmpty else {
          return false
        }
        return howl(of: session, in: state) == nil
      } : []
    if kept != talkbacks { state.monitoring.talkbacks = kept }
  }

  private static func checkOpening(_ session: Session, in state: RouterState) throws(SessionError) {
    guard session.isTalkback else {
      throw SessionError(
        .badParam,
        "\(session.id) is no talkback; give it `\"talkback\": { \"to\": [...] }` in the preset, or set /session/\(session.id)/talkback/to"
      )
    }
    guard state.server.isRunning else {
      throw SessionError(
        .mediaServicesFailed, "there is no audio server, so nobody would hear \(session.id)")
    }
    try check(session, in: state)
    let listeners = state.talkbackOutputs(of: session)
    guard !listeners.isEmpty else {
      let groups = session.talkback.groups.map(\.name).joined(separator: ", ")
      throw SessionError(
        .badParam,
        "no output is a member of group \(groups), so nobody would hear \(session.id); add one to /group/\(session.talkback.groups[0])/members"
      )
    }
    // A guard keeps a talkback away from an output of a group, but not from the others.
    let isHeard = listeners.contains { !state.talkbackStreams(of: session, at: $0).isEmpty }
    if !isHeard, let stream = session.streams.values.first,
      let error = Guards.refusal(of: stream, of: session.id, reaching: listeners[0])
    {
      throw error
    }
    guard listeners.contains(where: { state.outputs[$0]?.isAvailable == true }) else {
      let names = listeners.map(\.name).joined(separator: ", ")
      throw SessionError(
        .resourceNotAvailable, "\(names) is away, so nobody would hear \(session.id); plug it in first")
    }
  }

  /// Refuses a talkback that a guard forbids, or that would howl.
  private static func check(_ session: Session, in state: RouterState) throws(SessionError) {
    for output in session.talkback.outputs {
      for stream in session.streams.values {
        if let error = Guards.refusal(of: stream, of: session.id, reaching: output) { throw error }
      }
    }
    if let (input, output) = howl(of: session, in: state) {
      throw SessionError(
        .denied,
        "\(session.id) would howl: its microphone \(input) hears \(output), to which it would speak; leave \(output) out of `to` and its groups, or take another microphone"
      )
    }
  }

  /// A microphone of a talkback that belongs to the device of one of its outputs, or hears that output by its `echo`.
  private static func howl(of session: Session, in state: RouterState) -> (input: PortID, output: PortID)? {
    for stream in session.streams.values {
      for case .input(let id, _) in stream.sources {
        let heard = state.inputs[id]?.echo ?? []
        for output in state.talkbackOutputs(of: session) where output == id || heard.contains(output) {
          return (id, output)
        }
      }
    }
    return nil
  }
}
