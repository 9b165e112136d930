/// What a session would like of the hardware: hints, of which the server decides (semantics, section 12).
public struct HardwareWishes: Equatable, Sendable {
  /// Frames per second; 0 is no wish.
  public var rate = 0.0
  /// Seconds; 0 is no wish.
  public var period = 0.0
  /// Channels of its input; 0 is no wish.
  public var inputChannels = 0
  /// Channels of its outputs together; 0 is no wish.
  public var outputChannels = 0
  public init() {}

  /// Channels of one direction; 0 is no wish.
  public subscript(direction: Direction) -> Int {
    get { direction == .input ? inputChannels : outputChannels }
    set { if direction == .input { inputChannels = newValue } else { outputChannels = newValue } }
  }
}

extension Category {
  /// Whether sessions of this category use ports of a direction, live.
  public func uses(_ direction: Direction) -> Bool { direction == .input ? hasInput : hasOutput }
}

extension RouterState {
  /// The ports of a session's route in one direction.
  private func ports(of session: Session, _ direction: Direction) -> [Port] {
    guard session.category.uses(direction) else { return [] }
    let ids = direction == .input ? session.route.inputs : session.route.outputs
    return ids.compactMap { self[direction][$0] }
  }

  /// Most channels that a session has in a direction: those of its route, together; 0 where its category has none.
  public func maximumChannels(of session: Session, _ direction: Direction) -> Int {
    ports(of: session, direction).reduce(0) { $0 + $1.channels }
  }

  /// Seconds from the microphone to a session, or from it to the loudspeaker that is furthest away; 0 where its category has none.
  public func latency(of session: Session, _ direction: Direction) -> Double {
    ports(of: session, direction).map(\.latency).max() ?? 0
  }

  /// The input gain that a session sees: that of its input, which all who use it share; 0 without one.
  public func inputLevel(of session: Session) -> Control {
    guard session.category.hasInput, let input = session.route.input.flatMap({ inputs[$0] }) else {
      return Control(0)
    }
    return input.level
  }
}
