import OSC
import SessionModel

/// Passes at most 100 errors a second to a client, then one message that says how many it missed.
struct ErrorLimiter: Sendable {
  private var budgets: [PeerAddress: Budget] = [:]

  /// Most errors per second and client.
  static let rate = 100

  private struct Budget: Sendable {
    var start: Double
    var sent = 0
    var suppressed = 0
    var address = ""

    /// Begins the next second, with the report of the last one.
    mutating func renew(at time: Double) -> OSCMessage? {
      guard time - start >= 1 else { return nil }
      let (missed, address) = (suppressed, address)
      self = Budget(start: time)
      guard missed > 0 else { return nil }
      sent = 1
      return Surface.error(address, SessionError(.rateLimited, "\(missed) more errors were not sent"))
    }
  }

  /// Whether `report` will have something to say.
  var isWaiting: Bool { budgets.values.contains { $0.suppressed > 0 } }

  /// The messages that go now, and whether the failure is among them.
  mutating func allow(
    _ failure: Transaction.Failure, to peer: PeerAddress, at time: Double
  ) -> (messages: [OSCMessage], isPassed: Bool) {
    if budgets.count > 256 {
      budgets = budgets.filter { $0.value.start > time - 1 || $0.value.suppressed > 0 }
    }
    var budget = budgets[peer] ?? Budget(start: time)
    defer { budgets[peer] = budget }
    var messages = budget.renew(at: time).map { [$0] } ?? []
    guard budget.sent < Self.rate else {
      budget.suppressed += 1
      budget.address = failure.address
      return (messages, false)
    }
    budget.sent += 1
    messages.append(Surface.error(failure.address, failure.error))
    return (messages, true)
  }

  /// What is owed to those whose second is over.
  mutating func report(at time: Double) -> [(peer: PeerAddress, message: OSCMessage)] {
    guard isWaiting else { return [] }
    var reports: [(peer: PeerAddress, message: OSCMessage)] = []
    for peer in Array(budgets.keys) where budgets[peer]!.suppressed > 0 {
      if let message = budgets[peer]!.renew(at: time) { reports.append((peer, message)) }
    }
    return reports
  }
}
