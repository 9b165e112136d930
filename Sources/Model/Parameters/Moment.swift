public import SessionModel

/// A state at a point in time, for readers of several leaves. A result that takes a look at all sessions is
/// computed once, at its first use.
public final class Moment {
  public let state: RouterState
  /// Router time in seconds.
  public let time: Double
  /// How the active sessions affect each other.
  public private(set) lazy var activity = state.activity

  public init(_ state: RouterState, at time: Double) { (self.state, self.time) = (state, time) }
}
