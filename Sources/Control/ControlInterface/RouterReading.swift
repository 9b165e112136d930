public import SessionModel

/// The state of the router and its counts at one moment, for pages that other threads make.
public struct RouterReading: Sendable {
  public var state = RouterState()
  public var audio = AudioTotals()
  /// Share of the period that the audio thread used lately, 0 to 1.
  public var load = 0.0
  /// Longest time that the audio thread worked in one period since the router's start, in seconds.
  public var longest = 0.0

  public init() {}
}
