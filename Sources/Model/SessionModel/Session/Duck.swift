/// How deep and how fast a ducker ducks other sessions, unless the ducker has values of its own (docs/develop/law/ducking.md#2-depth).
public struct DuckingSettings: Equatable, Sendable {
  /// Level of ducked sessions in dB, -60 to 0.
  public var level = Control(-14)
  /// Time to fade down in seconds, 0.001 to 10.
  public var attack = Control(0.2)
  /// Time to fade up again in seconds, 0.001 to 10.
  public var release = Control(0.8)
  public var scope = DuckScope.all
  public init() {}
}

/// How deep and how fast one session ducks the others; nil stands for the router's value in `DuckingSettings`.
public struct DuckerSettings: Equatable, Sendable {
  /// dB, -60 to 0.
  public var level: Control?
  /// Seconds, 0.001 to 10.
  public var attack: Control?
  /// Seconds, 0.001 to 10.
  public var release: Control?
  public init() {}
}

/// Which sessions a ducker ducks, and in which outputs.
public enum DuckScope: String, CaseIterable, Sendable {
  /// All other sessions, in all their outputs.
  case all
  /// The sessions that share an output with the ducker, in all their outputs.
  case shared
  /// All other sessions, but only in the outputs where the ducker is heard.
  case heard
}

/// The duck of one session in one output: a move to an attenuation, linear in dB. The length of a move does not depend on its height.
public struct Duck: Equatable, Sendable {
  public let output: PortID
  /// Attenuation at the end of the move, in dB; 0 is not ducked.
  public var target: Double
  /// Attenuation at the beginning of the move, in dB.
  public var origin: Double
  /// Time at which the move began, in seconds of the router's time.
  public var start: Double
  /// Length of the move in seconds: the attack of the ducker, or the release of the ducker that ended last.
  public var seconds: Double
  /// Number of the move; every new move gets a new one. Sessions that are ducked alike share moves and numbers.
  public var revision: UInt32
  /// The session that ducks this one; nil if none does.
  public var ducker: SessionID?

  public init(
    output: PortID, target: Double, origin: Double, start: Double, seconds: Double, revision: UInt32,
    ducker: SessionID?
  ) {
    (self.output, self.target, self.origin) = (output, target, origin)
    (self.start, self.seconds, self.revision, self.ducker) = (start, seconds, revision, ducker)
  }

  /// Whether the session is ducked, or on its way down.
  public var isDucked: Bool { target < 0 }

  /// The attenuation in dB at a time, in seconds of the router's time.
  public func level(at time: Double) -> Double {
    guard seconds > 0, time < start + seconds else { return target }
    return origin + (target - origin) * max(0, (time - start) / seconds)
  }
}
