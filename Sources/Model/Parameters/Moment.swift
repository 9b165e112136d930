public import SessionModel

/// A state at a point in time, for readers of several leaves. A result that takes a look at all sessions is
/// computed once, at its first use.
public final class Moment {
  public let state: RouterState
  /// Router time in seconds.
  public let time: Double
  /// How the active sessions affect each other.
  public private(set) lazy var activity = state.activity

  /// The fingers on faders, of which only surfaces know, as `/system/touched` tells them.
  public let touched: [String]

  public init(_ state: RouterState, at time: Double, touched: [String] = []) {
    (self.state, self.time, self.touched) = (state, time, touched)
  }
}
