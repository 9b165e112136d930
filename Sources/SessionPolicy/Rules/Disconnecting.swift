import SessionModel

/// Ports that interrupt by going, and microphones that are muted in hardware (semantics, sections 3, 7 and 10).
enum Disconnecting {
  static func settle(
    _ state: inout RouterState, after event: Event, since before: RouterState
  ) -> [Notification] {
    switch event {
    case .declarePort, .forgetPort, .portsPresent, .port(_, _, .plugged), .port(_, _, .hardwareMuted): break
    default: return []
    }
    var told = restore(&state)
    if case .port(.input, let id, .hardwareMuted(true)) = event,
      before.inputs[id]?.isHardwareMuted == false
    {
      told += silence(&state, id)
    }
    return told + disconnect(&state, since: before)
  }

  /// Ends interruptions by ports that are there again, or microphones that are open again or gone.
  private static func restore(_ state: inout RouterState) -> [Notification] {
    var ended: [Interrupter] = []
    let (inputs, outputs) = (state.inputs, state.outputs)
    state.sessions.forEachValue { session in
      guard let interrupter = session.displacement?.interrupter, !ended.contains(interrupter) else { return }
      switch interrupter {
      case .output(let id) where outputs[id].map(\.isAvailable) ?? true: ended.append(interrupter)
      case .input(let id) where inputs[id].map { !$0.isAvailable || !$0.isHardwareMuted } ?? true:
        ended.append(interrupter)
      default: break
      }
    }
    return ended.flatMap { Interrupting.end(&state, by: $0, shouldResume: true) }
  }

  /// Interrupts who records from a microphone that was muted, unless it overrides that.
  private static func silence(_ state: inout RouterState, _ input: PortID) -> [Notification] {
    Interrupting.displace(&state, by: .input(input), .builtInMicMuted) { session in
      session.route.inputs.contains(input) && session.isInputRunning && !session.isProtected
        && session.priority != .alert && !session.options.contains(.overrideMutedMicrophoneInterruption)
    }
  }

  /// Interrupts who asked for it when its output goes.
  private static func disconnect(_ state: inout RouterState, since before: RouterState) -> [Notification] {
    let gone = before.outputs.keys { $0.isAvailable }.filter { state.outputs[$0]?.isAvailable != true }
    guard !gone.isEmpty else { return [] }
    return gone.filter { state.outputs.contains($0) }.flatMap { port in
      Interrupting.displace(&state, by: .output(port), .routeDisconnected) { session in
        session.unplug == .interrupt && before.sessions[session.id]?.isSent(to: port) == true
      }
    }
  }
}
