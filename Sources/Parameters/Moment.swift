public import SessionModel

/// A state at a time, for those who read several leaves of it: what takes a look at all sessions is gathered once, by the first
/// who asks.
public final class Moment {
  public let state: RouterState
  /// Seconds of the router's time.
  public let time: Double
  /// What the active sessions are to each other.
  public private(set) lazy var activity = state.activity

  public init(_ state: RouterState, at time: Double) { (self.state, self.time) = (state, time) }
}
