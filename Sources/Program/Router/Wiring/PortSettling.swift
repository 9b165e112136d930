/// Delays the reaction to ports that appear or disappear until the whole device has changed, because the server reports a device
/// port by port.
struct PortSettling {
  /// Seconds without a change after which a device is whole.
  private static let quiet = 0.02
  /// Seconds after which the router reacts even if ports still change.
  private static let patience = 0.1

  private var change: (first: Double, last: Double)?

  /// Whether ports have changed and the router has not reacted yet.
  var isPending: Bool { change != nil }

  /// When the router must react, in seconds; nil while no port has changed.
  /// - Parameter isAnswered: whether the router knows the present ports. While a report is still due, more of them may have appeared.
  func due(isAnswered: Bool) -> Double? {
    change.map { isAnswered ? min($0.last + Self.quiet, $0.first + Self.patience) : $0.first + Self.patience }
  }

  /// Notes that a port appeared or disappeared, or that a notice tells so, at a time in seconds.
  mutating func note(at time: Double) { change = (change?.first ?? time, time) }

  /// Whether the router must react now. If so, the change counts as handled.
  mutating func isOver(at time: Double, isAnswered: Bool) -> Bool {
    guard let due = due(isAnswered: isAnswered), due <= time else { return false }
    change = nil
    return true
  }
}
