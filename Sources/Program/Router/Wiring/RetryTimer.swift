/// Decides when the router asks again for connections that the server refused. Each wait is twice as long as the last: 0.1 s to 5 s.
struct RetryTimer {
  private static let shortest = 0.1
  private static let longest = 5.0

  /// When the router asks again, in seconds; nil while no connection is refused.
  private(set) var due: Double?
  private var wait = shortest

  /// Notes whether connections are refused at present.
  mutating func note(hasRefusals: Bool, at time: Double) {
    guard hasRefusals else {
      (due, wait) = (nil, Self.shortest)
      return
    }
    if due == nil { due = time + wait }
  }

  /// Whether the router must ask again now. If so, that counts as done, and the next wait is longer.
  mutating func isOver(at time: Double) -> Bool {
    guard let due, due <= time else { return false }
    self.due = nil
    wait = min(2 * wait, Self.longest)
    return true
  }
}
