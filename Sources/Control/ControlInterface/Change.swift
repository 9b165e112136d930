public import SessionModel

/// A decision as listeners receive it: the state before and after, and the notifications.
///
/// Both states are equal if a notification changed nothing, for instance that of an xrun.
public struct Change: Sendable {
  public let before: RouterState
  public let after: RouterState
  /// The notifications in the order in which they happened.
  public let events: [NumberedNotification]
  /// The time of the decision, in seconds of the router's monotonic time.
  public let time: Double
  /// The same time by the clocks of the system.
  public let stamp: TimeStamp
  /// The client whose command made the change; nil for a fact from outside.
  public let author: Authorship?

  public init(
    from before: RouterState, to after: RouterState, events: [NumberedNotification], at time: Double,
    by author: Authorship? = nil, stamp: TimeStamp = .now
  ) {
    (self.before, self.after, self.events, self.time) = (before, after, events, time)
    (self.author, self.stamp) = (author, stamp)
  }
}

/// Numbers notifications in the order in which they are published.
public struct EventNumbering: Sendable {
  private var last: Int32 = 0

  public init() {}

  /// Gives each notification the next number.
  public mutating func number(_ notifications: [Notification]) -> [NumberedNotification] {
    notifications.map { notification in
      last &+= 1
      return NumberedNotification(serial: last, notification)
    }
  }
}
