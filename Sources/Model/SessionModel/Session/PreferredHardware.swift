/// The hardware values that a session prefers. They are hints: the audio server decides (docs/develop/law/hardware.md#1-preferences).
public struct PreferredHardware: Equatable, Sendable {
  /// Preferred sample rate in Hz; 0 is no preference.
  public var rate = 0.0
  /// Preferred length of a period in seconds; 0 is no preference.
  public var period = 0.0
  /// Preferred number of input channels; 0 is no preference.
  public var inputChannels = 0
  /// Preferred number of channels of all outputs together; 0 is no preference.
  public var outputChannels = 0
  public init() {}

  /// Preferred number of channels in one direction; 0 is no preference.
  public subscript(direction: Direction) -> Int {
    get { direction == .input ? inputChannels : outputChannels }
    set { if direction == .input { inputChannels = newValue } else { outputChannels = newValue } }
  }
}

extension Category {
  /// Whether sessions of this category use ports of a direction while they are live.
  public func uses(_ direction: Direction) -> Bool { direction == .input ? hasInput : hasOutput }
}

extension RouterState {
  /// The ports of a session's route in one direction.
  private func ports(of session: Session, _ direction: Direction) -> [Port] {
    guard session.category.uses(direction) else { return [] }
    let ids = direction == .input ? session.route.inputs : session.route.outputs
    return ids.compactMap { self[direction][$0] }
  }

  /// Greatest number of channels that a session can have in a direction: the sum over the ports of its route; 0 if its category does
  /// not use that direction.
  public func maximumChannels(of session: Session, _ direction: Direction) -> Int {
    ports(of: session, direction).reduce(0) { $0 + $1.channels }
  }

  /// Seconds from the microphone to a session, with what its voice processing and effects take; or from a session to the loudspeaker with the longest
  /// latency, with what its effects take. 0 if its category does not use that direction.
  public func latency(of session: Session, _ direction: Direction) -> Double {
    let longest = ports(of: session, direction).map(\.latency).max() ?? 0
    guard direction == .output else {
      return longest + session.voiceReport.latency + session.capture.insert.latency
    }
    return longest + (session.streams.values.map(\.insert.latency).max() ?? 0)
  }

  /// The gain of a session's input, 0 to 1, which all sessions share that use this input; 0 if the session has no input.
  public func inputLevel(of session: Session) -> Control {
    guard session.category.hasInput, let input = session.route.input.flatMap({ inputs[$0] }) else {
      return Control(0)
    }
    return input.level
  }
}
