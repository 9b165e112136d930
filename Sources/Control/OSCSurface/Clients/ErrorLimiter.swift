import ControlInterface
import OSC
import SessionModel

/// Limits the errors to a client to 100 a second. One message then tells how many were suppressed.
struct ErrorLimiter: Sendable {
  private var budgets: [Peer: Budget] = [:]

  /// Greatest number of errors per second and client.
  static let rate = 100

  private struct Budget: Sendable {
    var start: Double
    var sent = 0
    var suppressed = 0
    var address = ""

    /// Begins the next second and returns the report about the last one.
    mutating func renew(at time: Double) -> OSCMessage? {
      guard time - start >= 1 else { return nil }
      let (missed, address) = (suppressed, address)
      self = Budget(start: time)
      guard missed > 0 else { return nil }
      sent = 1
      return Surface.error(address, SessionError(.rateLimited, "\(missed) more errors were not sent"))
    }
  }

  /// The time at which `report` has messages; nil if no error was suppressed.
  var nextReport: Double? {
    budgets.values.lazy.filter { $0.suppressed > 0 }.map { $0.start + 1 }.min()
  }

  /// The messages to send now, and whether the given error is among them.
  mutating func allow(
    _ failure: PacketTransaction.Failure, to peer: Peer, at time: Double
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

  /// The reports to clients whose second is over.
  mutating func report(at time: Double) -> [(peer: Peer, message: OSCMessage)] {
    guard let next = nextReport, next <= time else { return [] }
    var reports: [(peer: Peer, message: OSCMessage)] = []
    for peer in Array(budgets.keys) where budgets[peer]!.suppressed > 0 {
      if let message = budgets[peer]!.renew(at: time) { reports.append((peer, message)) }
    }
    return reports
  }
}
