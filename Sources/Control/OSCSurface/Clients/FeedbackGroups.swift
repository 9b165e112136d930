import Parameters
import Patterns

/// The subscriptions of all clients, by pattern and rate: what has changed is noted, read and encoded once for all clients of a group.
struct FeedbackGroups: Sendable {
  private(set) var groups: [Key: Group] = [:]
  /// When the first group may be told; nil if nothing has changed.
  private(set) var nextDue: Double?

  /// What the subscriptions of a group have in common.
  struct Key: Hashable, Sendable {
    /// The pattern as sent.
    let text: String
    let interval: Double
    /// What the clients may reach.
    let reach: Reach
  }

  struct Group: Sendable {
    /// One of its subscriptions.
    let subscription: Subscription
    var changed = ChangedLeaves()
    private(set) var nextFlush = 0.0

    init(_ subscription: Subscription) { self.subscription = subscription }

    /// When the rate allows the waiting values to be sent; nil if none waits.
    var nextDue: Double? { changed.isEmpty ? nil : nextFlush }

    /// Takes what has changed.
    mutating func take(at time: Double) -> [Match] {
      nextFlush = FeedbackGroups.nextRound(after: time, interval: subscription.interval)
      return changed.take()
    }
  }

  /// When changes may be told again, in seconds.
  static func nextRound(after time: Double, interval: Double) -> Double {
    // On a grid, so that the groups of one rate are told at once. Of two messages the second comes up to a quarter of the interval
    // early after a pause, and never while the value moves.
    ((time + 0.75 * interval) / interval).rounded(.up) * interval
  }

  var isEmpty: Bool { groups.isEmpty }

  /// Follows the subscriptions of the clients that get feedback.
  mutating func follow(_ subscriptions: some Sequence<Subscription>) {
    var next: [Key: Group] = [:]
    for subscription in subscriptions where next[subscription.group] == nil {
      next[subscription.group] = groups[subscription.group] ?? Group(subscription)
    }
    groups = next
    nextDue = groups.values.lazy.compactMap(\.nextDue).min()
  }

  /// Notes a changed leaf.
  mutating func mark(_ match: Match) {
    var earliest = nextDue ?? .infinity
    groups.changeValues { group in
      guard group.subscription.wants(match.address) else { return }
      group.changed.note(match)
      earliest = min(earliest, group.nextDue ?? .infinity)
    }
    nextDue = earliest < .infinity ? earliest : nil
  }

  /// Whether a subscription may match measured values.
  var mayWantMeasurements: Bool { groups.values.contains { $0.subscription.mayWantMeasurements } }

  /// Whether a subscription may match an address that begins with these parts.
  func mayWant(below parts: [String]) -> Bool {
    groups.values.contains { $0.subscription.mayWant(below: parts) }
  }

  /// Takes what has changed for each group that may be told now.
  mutating func takeDue(at time: Double) -> [(key: Key, changed: [Match])] {
    guard let nextDue, nextDue <= time else { return [] }
    var (due, later) = ([(key: Key, changed: [Match])](), Double.infinity)
    groups.changeValues { group in
      guard let next = group.nextDue else { return }
      if next <= time {
        due.append((group.subscription.group, group.take(at: time)))
      } else {
        later = min(later, next)
      }
    }
    self.nextDue = later < .infinity ? later : nil
    return due
  }
}
