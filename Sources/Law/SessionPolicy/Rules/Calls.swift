import SessionModel

/// Handles interruptions from outside the router, such as a phone. Each source acts like an active session of call class that has
/// no streams (docs/develop/law/interruptions.md#5-calls-from-outside).
enum Calls {
  static func begin(
    _ state: inout RouterState, _ id: InterruptionID, _ reason: InterruptionReason
  ) throws(SessionError) -> [Notification] {
    var source = try source(id, in: state)
    guard !source.isOn else { return [] }
    (source.isOn, source.reason) = (true, reason)
    state.interruptions[id] = source
    return Interruptions.interruptOthers(&state, for: source)
  }

  /// Makes a source ring, or stop ringing. A source that stops ringing before the call was accepted has ended.
  static func ring(
    _ state: inout RouterState, _ id: InterruptionID, _ isRinging: Bool
  ) throws(SessionError) -> [Notification] {
    var source = try source(id, in: state)
    guard source.isRinging != isRinging else { return [] }
    source.isRinging = isRinging
    guard source.isRinging || source.isOn else { return end(&state, id, shouldResume: true) }
    state.interruptions[id] = source
    return source.isOn ? [] : Interruptions.interruptOthers(&state, for: source)
  }

  /// Ends a source that is on or rings. Ending an unknown source is no error, because the source may have ended already.
  static func end(
    _ state: inout RouterState, _ id: InterruptionID, shouldResume: Bool
  ) -> [Notification] {
    guard state.interruptions.contains(id) else { return [] }
    state.interruptions[id] = nil
    return Interruptions.end(&state, by: .source(id), shouldResume: shouldResume, isCall: true)
  }

  static func clear(_ state: inout RouterState) -> [Notification] {
    let ids = state.interruptions.keys
    state.interruptions = Registry()
    return ids.flatMap { Interruptions.end(&state, by: .source($0), shouldResume: true, isCall: true) }
  }

  private static func source(
    _ id: InterruptionID, in state: RouterState
  ) throws(SessionError) -> Interruption {
    if let source = state.interruptions[id] { return source }
    guard state.interruptions.count < RouterState.maximumInterruptions else {
      throw SessionError(
        .full, "there are \(state.interruptions.count) interruptions, the maximum; end one first")
    }
    return Interruption(id: id)
  }
}
