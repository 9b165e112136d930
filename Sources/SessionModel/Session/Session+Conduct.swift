extension Session {
  /// Whether the session plays beside others by itself or by option; a mixable one interrupts nobody.
  public var isMixable: Bool { category.alwaysMixes || options.contains(.mixWithOthers) }

  /// The configuration as asked for.
  public var configuration: SessionConfiguration {
    SessionConfiguration(category: category, mode: mode, options: requestedOptions)
  }

  /// Whether its client's output runs: declared, or by its sound.
  public var isOutputRunning: Bool {
    guard category.hasOutput else { return false }
    return switch outputIO {
    case .running: true
    case .stopped: false
    case .auto: isSounding
    }
  }

  /// Whether its client's input runs: declared, or by the cables of its capture.
  public var isInputRunning: Bool {
    guard category.hasInput else { return false }
    return switch inputIO {
    case .running: true
    case .stopped: false
    case .auto: isCapturing
    }
  }

  /// Whether it is in the background with a category that stops there.
  public var isSuspended: Bool { !isForeground && !category.playsInBackground && priority != .alert }

  /// Whether it is active and its output runs: what "playing" means to others (semantics, section 8).
  public var isPlaying: Bool { isActive && isOutputRunning && !isSuspended }

  /// Whether it ducks others while it is active.
  public var isDucker: Bool { options.contains(.duckOthers) }

  /// Whether duckers pass it over; alert and call class are never ducked.
  public var isExemptFromDucks: Bool { isDuckExempt || priority != .normal }

  /// Whether its sound is let through before it is active: only its effects on others wait for its signal.
  public var isAwaitingSignal: Bool {
    activation == .signal && !isActive && displacement == nil && !isHeldBack
  }

  /// The outputs that it is sent to now.
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

  /// Whether it is sent to an output now.
  public func isSent(to port: PortID) -> Bool {
    guard route.outputs.contains(port) else { return false }
    return category != .multiRoute || hasDestination(at: port)
  }

  /// Whether any of its streams has a destination there that is on.
  public func hasDestination(at port: PortID) -> Bool {
    streams.contains { (stream: SessionStream) in stream.destinations.contains(port, where: \.isOn) }
  }

  /// Its ducking in an output; nil while it was never ducked there.
  public func duck(in output: PortID) -> Duck? { ducks.first { $0.output == output } }

  /// The deepest duck among the outputs that it is sent to; nil while none is ducked.
  public var deepestDuck: Duck? {
    ducks.filter { $0.isDucked && isSent(to: $0.output) }.min { $0.target < $1.target }
  }

  /// Its present attenuation in dB: the deepest of the outputs that it is sent to.
  public func duckNow(at time: Double) -> Double {
    ducks.filter { isSent(to: $0.output) }.map { $0.level(at: time) }.min() ?? 0
  }

  /// When it ends for want of a sign of life, in seconds of the router's time; nil for no lease and for those who hold nothing.
  public var leaseEnd: Double? {
    guard lease.target > 0, isActive || displacement != nil || mayReturn else { return nil }
    return leaseStart + lease.target
  }
}
