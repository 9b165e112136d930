public import SessionModel

/// The function that decides events. A refused event leaves the state unchanged.
public typealias Law =
  @Sendable (inout RouterState, Event, Double) throws(SessionError) -> [Notification]

/// Events that take effect together or not at all. They are tried one after the other on a copy of the state.
public struct Transaction: Sendable {
  /// The copy: the state with all events tried so far.
  public private(set) var state: RouterState
  /// The time of all events, in seconds of the router's monotonic time.
  public let time: Double
  /// Notifications to publish if the transaction takes effect.
  public private(set) var notifications: [Notification] = []
  /// The sessions whose activation was refused.
  public private(set) var refusedActivations: [SessionID] = []
  private let law: Law

  public init(_ state: RouterState, at time: Double, law: @escaping Law) {
    (self.state, self.time, self.law) = (state, time, law)
  }

  /// Tries an event on the copy.
  ///
  /// - Parameter describe: may replace the notifications of the law.
  /// - Throws: the law's refusal; the copy is then unchanged.
  public mutating func decide(
    _ event: Event, describe: (Notification) -> Notification = { $0 }
  ) throws(SessionError) {
    do throws(SessionError) { notifications += try law(&state, event, time).map(describe) } catch {
      if case .activate(let id, _) = event, !refusedActivations.contains(id) { refusedActivations.append(id) }
      throw error
    }
  }

  /// Discards the copy. Only one effect stays: a session whose activation was refused waits until it may become active.
  ///
  /// - Parameter state: the state before the transaction.
  /// - Returns: the notifications to publish.
  public func giveUp(_ state: inout RouterState) -> [Notification] {
    refusedActivations.flatMap { id in
      // A session that this transaction created is discarded with the copy and cannot wait.
      (try? law(&state, .activationRefused(id), time)) ?? []
    }
  }
}
