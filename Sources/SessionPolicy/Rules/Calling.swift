import SessionModel

/// Interruptions from outside, such as a phone: each acts as an active session of call class without streams (semantics, head).
enum Calling {
  static func begin(
    _ state: inout RouterState, _ id: InterruptionID, _ reason: InterruptionReason
  ) throws(SessionError) -> [Notification] {
    var source = try source(id, in: state)
    guard !source.isOn else { return [] }
    (source.isOn, source.reason) = (true, reason)
    state.interruptions[id] = source
    return Interrupting.displaceOthers(&state, for: source)
  }

  /// Rings, or has stopped to without having been accepted.
  static func ring(
    _ state: inout RouterState, _ id: InterruptionID, _ isRinging: Bool
  ) throws(SessionError) -> [Notification] {
    var source = try source(id, in: state)
    guard source.isRinging != isRinging else { return [] }
    source.isRinging = isRinging
    guard source.isRinging || source.isOn else { return end(&state, id, shouldResume: true) }
    state.interruptions[id] = source
    return source.isOn ? [] : Interrupting.displaceOthers(&state, for: source)
  }

  /// Ends a source, on or ringing; one that is not there has ended already.
  static func end(
    _ state: inout RouterState, _ id: InterruptionID, shouldResume: Bool
  ) -> [Notification] {
    guard state.interruptions.contains(id) else { return [] }
    state.interruptions[id] = nil
    return Interrupting.end(&state, by: .source(id), shouldResume: shouldResume, isCall: true)
  }

  static func clear(_ state: inout RouterState) -> [Notification] {
    let ids = state.interruptions.keys
    state.interruptions = Registry()
    return ids.flatMap { Interrupting.end(&state, by: .source($0), shouldResume: true, isCall: true) }
  }

  private static func source(
    _ id: InterruptionID, in state: RouterState
  ) throws(SessionError) -> Interruption {
    if let source = state.interruptions[id] { return source }
    guard !reserved.contains(id.name) else {
      throw SessionError(.badValue, "\(id) is a command's name; choose another source")
    }
    guard state.interruptions.count < RouterState.maximumInterruptions else {
      throw SessionError(
        .full, "there are \(state.interruptions.count) interruptions, which is the most; end one first")
    }
    return Interruption(id: id)
  }

  /// Ids that the address space uses for commands.
  private static let reserved: Set<String> = ["begin", "end", "list", "scope", "clear"]
}
