import SessionModel

/// Interrupts sessions whose output disappeared, and sessions that record from a microphone that was muted in hardware
/// (docs/develop/law/conduct.md#6-unplug, docs/develop/law/mutes.md#4-muted-microphones).
enum Disconnections {
  static func apply(
    _ state: inout RouterState, after event: Event, since before: RouterState
  ) -> [Notification] {
    switch event {
    case .declarePort, .forgetPort, .portsPresent, .port(_, _, .plugged), .port(_, _, .hardwareMuted): break
    default: return []
    }
    var notifications = restore(&state)
    if case .port(.input, let id, .hardwareMuted(true)) = event,
      before.inputs[id]?.isHardwareMuted == false
    {
      notifications += interruptRecording(&state, id)
    }
    return notifications + disconnect(&state, since: before)
  }

  /// Ends the interruptions by outputs that have returned, and by microphones that are unmuted or have disappeared.
  private static func restore(_ state: inout RouterState) -> [Notification] {
    var ended: [Interrupter] = []
    let (inputs, outputs) = (state.inputs, state.outputs)
    func note(_ interrupter: Interrupter) {
      guard !ended.contains(interrupter) else { return }
      switch interrupter {
      case .output(let id) where outputs[id].map(\.isAvailable) ?? true: ended.append(interrupter)
      case .input(let id) where inputs[id].map { !$0.isAvailable || !$0.isHardwareMuted } ?? true:
        ended.append(interrupter)
      default: break
      }
    }
    state.sessions.forEachValue { if let displacement = $0.displacement { note(displacement.interrupter) } }
    return ended.flatMap { Interruptions.end(&state, by: $0, shouldResume: true) }
  }

  /// Interrupts the sessions that record from a microphone that was just muted, unless an option of theirs overrides that.
  private static func interruptRecording(_ state: inout RouterState, _ input: PortID) -> [Notification] {
    Interruptions.interrupt(&state, by: .input(input), .builtInMicMuted) { session in
      session.route.inputs.contains(input) && session.isInputRunning && !session.isProtected
        && session.priority != .alert && !session.options.contains(.overrideMutedMicrophoneInterruption)
    }
  }

  /// Interrupts the sessions with `unplug` interrupt that were heard at an output that has just disappeared.
  private static func disconnect(_ state: inout RouterState, since before: RouterState) -> [Notification] {
    let gone = before.outputs.keys { $0.isAvailable }.filter { state.outputs[$0]?.isAvailable != true }
    guard !gone.isEmpty else { return [] }
    return gone.filter { state.outputs.contains($0) }.flatMap { port in
      Interruptions.interrupt(&state, by: .output(port), .routeDisconnected) { session in
        session.unplug == .interrupt && before.sessions[session.id]?.isSent(to: port) == true
      }
    }
  }
}
