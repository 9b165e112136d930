extension Session {
  /// Whether the session plays beside others, by its category or by an option. A mixable session interrupts no other session.
  public var isMixable: Bool { category.alwaysMixes || options.contains(.mixWithOthers) }

  /// The configuration as the client or operator asked for it, without implied options.
  public var configuration: SessionConfiguration {
    SessionConfiguration(category: category, mode: mode, options: requestedOptions)
  }

  /// Whether the client's output runs: as declared, or if that is `auto`, as its sound and its players show.
  public var isOutputRunning: Bool {
    guard category.hasOutput else { return false }
    return switch outputIO {
    case .running: true
    case .stopped: false
    case .auto: isSounding || runningPlayers > 0
    }
  }

  /// Whether the client's input runs: as declared, or if that is `auto`, as the connections of its capture and its recorders show.
  public var isInputRunning: Bool {
    guard category.hasInput else { return false }
    return switch inputIO {
    case .running: true
    case .stopped: false
    case .auto: isCapturing || runningRecorders > 0
    }
  }

  /// Whether anything may sound in the session: a program that is connected, or a player that plays.
  public var hasSource: Bool { runningPlayers > 0 || isConnected && !isVanishing }

  /// Whether the session is in the background with a category that stops there.
  public var isSuspended: Bool { !isForeground && !category.playsInBackground && priority != .alert }

  /// Whether the session plays in the sense of AVAudioSession: it is active and its output runs (docs/develop/law/principles.md#2-playing).
  public var isPlaying: Bool { isActive && isOutputRunning && !isSuspended }

  /// Whether the session ducks others while it is active.
  public var isDucker: Bool { options.contains(.duckOthers) }

  /// Whether no ducker ducks this session. Alerts and calls are always exempt.
  public var isExemptFromDucks: Bool { isDuckExempt || priority != .normal }

  /// Whether decisions of the policy, such as an interruption or a route, are all that distinguishes the session from another state of it.
  public func differsOnlyInDecisions(from other: Session) -> Bool {
    var same = other
    same.setActive(isActive)
    (same.route, same.ducks, same.awaitedOutput) = (route, ducks, awaitedOutput)
    (same.displacement, same.interruptionStart, same.refusal) = (displacement, interruptionStart, refusal)
    (same.mayReturn, same.isHeldBack, same.returnsAfterReset) = (mayReturn, isHeldBack, returnsAfterReset)
    (same.activationNumber, same.duckingNumber, same.leaseStart) = (
      activationNumber, duckingNumber, leaseStart
    )
    return same == self
  }

  /// Whether the session waits for its signal. Its sound is let through already; only its effects on other sessions begin with the
  /// activation, so that the first syllable is not lost.
  public var isAwaitingSignal: Bool {
    activation == .signal && !isActive && displacement == nil && !isHeldBack
  }

  /// The outputs of the route that the session, or one of its streams, is sent to.
  public var sentOutputs: [PortID] {
    guard category == .multiRoute else { return route.outputs }
    var sent: [PortID] = []
    streams.forEachValue { stream in
      stream.destinations.forEachEntry { output, destination in
        guard destination.isOn, !sent.contains(output), route.outputs.contains(output) else { return }
        sent.append(output)
      }
    }
    return sent.count > 1 ? route.outputs.filter(sent.contains) : sent
  }

  /// Whether the session, or one of its streams, is sent to an output of its route.
  public func isSent(to port: PortID) -> Bool {
    guard route.outputs.contains(port) else { return false }
    return category != .multiRoute || hasDestination(at: port)
  }

  /// Whether any stream has a destination at an output that is on.
  public func hasDestination(at port: PortID) -> Bool {
    streams.contains { (stream: SessionStream) in stream.destinations.contains(port, where: \.isOn) }
  }

  /// The session's duck in an output; nil if it was never ducked there.
  public func duck(in output: PortID) -> Duck? { ducks.first { $0.output == output } }

  /// The deepest duck among the outputs that the session is sent to; nil if it is ducked in none.
  public var deepestDuck: Duck? {
    ducks.filter { $0.isDucked && isSent(to: $0.output) }.min { $0.target < $1.target }
  }

  /// The session's attenuation in dB at a time, in seconds of the router's time: the deepest of the outputs that it is sent to.
  public func duckNow(at time: Double) -> Double {
    ducks.filter { isSent(to: $0.output) }.map { $0.level(at: time) }.min() ?? 0
  }

  /// When the session ends unless a sign of life comes, in seconds of the router's time; nil if it has no lease, or if it is inactive
  /// and waits for nothing.
  public var leaseEnd: Double? {
    guard lease.target > 0, isActive || displacement != nil || mayReturn else { return nil }
    return leaseStart + lease.target
  }
}
