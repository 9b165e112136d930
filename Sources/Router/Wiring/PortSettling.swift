/// When ports that come and go are looked at: the server tells of a device port by port, and half a device is not one that was
/// plugged in. What follows soon belongs to the same change.
struct PortSettling {
  /// Seconds without a change after which a device is whole.
  private static let quiet = 0.02
  /// Seconds after which ports are looked at though they still change.
  private static let patience = 0.06

  private var change: (first: Double, last: Double)?

  /// Whether ports changed that were not looked at yet.
  var isPending: Bool { change != nil }

  /// Notes that a port came or went, at a time in seconds.
  mutating func note(at time: Double) { change = (change?.first ?? time, time) }

  /// Whether it is time to look, which is then taken as done.
  mutating func isOver(at time: Double) -> Bool {
    guard let change, time >= change.last + Self.quiet || time >= change.first + Self.patience else {
      return false
    }
    self.change = nil
    return true
  }
}
