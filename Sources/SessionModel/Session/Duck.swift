/// What duckers do to the others, unless they say otherwise themselves (osc contract, Ducking).
public struct Ducking: Equatable, Sendable {
  /// dB, -60 to 0.
  public var level = Control(-14)
  /// Seconds, 0.001 to 10.
  public var attack = Control(0.2)
  /// Seconds, 0.001 to 10.
  public var release = Control(0.8)
  public var scope = DuckScope.all
  public init() {}
}

/// What one session, as a ducker, does to the others; nil inherits the router's value.
public struct DuckerSettings: Equatable, Sendable {
  /// dB, -60 to 0.
  public var level: Control?
  /// Seconds, 0.001 to 10.
  public var attack: Control?
  /// Seconds, 0.001 to 10.
  public var release: Control?
  public init() {}
}

/// Whom a ducker ducks.
public enum DuckScope: String, CaseIterable, Sendable {
  /// Everybody, in all outputs.
  case all
  /// Sessions that share an output with the ducker, in all their outputs.
  case shared
  /// Only in the outputs where the ducker is heard.
  case heard
}

/// The ducking of one session in one output: a move, linear in dB, that takes its whole time from wherever it began.
public struct Duck: Equatable, Sendable {
  public let output: PortID
  /// Where the attenuation goes, dB; 0 is not ducked.
  public var target: Double
  /// Where it was when the move began, dB.
  public var origin: Double
  /// When the move began, seconds of the router's time.
  public var start: Double
  /// Length of the move: the attack of who ducks, or the release of who ended last.
  public var seconds: Double
  /// Changes with every new move; sessions that are alike share moves, and their numbers.
  public var revision: UInt32
  /// Who ducks it, or nil.
  public var ducker: SessionID?

  public init(
    output: PortID, target: Double, origin: Double, start: Double, seconds: Double, revision: UInt32,
    ducker: SessionID?
  ) {
    (self.output, self.target, self.origin) = (output, target, origin)
    (self.start, self.seconds, self.revision, self.ducker) = (start, seconds, revision, ducker)
  }

  /// Whether the move is to an attenuation.
  public var isDucked: Bool { target < 0 }

  /// The attenuation at a time, dB.
  public func level(at time: Double) -> Double {
    guard seconds > 0, time < start + seconds else { return target }
    return origin + (target - origin) * max(0, (time - start) / seconds)
  }
}
