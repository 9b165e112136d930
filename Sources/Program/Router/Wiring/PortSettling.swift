import ServerInterface

/// Delays the reaction to ports that appear or disappear until the whole device has changed, because the server reports a device
/// port by port. A busy server needs more than a tenth of a second for the ports of one device.
struct PortSettling {
  /// Seconds without a change after which devices that have disappeared are whole.
  private static let quiet = 0.02
  /// The same for devices that appear. Nothing is heard there yet, so the wait may be longer.
  private static let quietAfterArrival = 0.1
  /// Seconds after which the router reacts even if ports still change. All decisions about connections wait so long.
  private static let patience = 0.5
  /// Seconds without a notice after which the router reacts to a device that has lost only some of its ports, or before it knows the ports.
  private static let quietOfPart = 0.5
  /// Seconds after which it does so even if notices still come: a server with no free processor tells each program of each port.
  private static let patienceForPart = 2.0

  private var change: (first: Double, last: Double)?
  /// Whether ports have appeared since the router last reacted.
  private var hasArrivals = false
  /// The JACK clients that have lost some of their ports, but not all.
  private var partlyGone: Set<Substring> = []

  /// Whether ports have changed and the router has not reacted yet.
  var isPending: Bool { change != nil }

  /// When the router must react, in seconds; nil while no port has changed.
  /// - Parameter isAnswered: whether the router knows the present ports. While a report is still due, more of them may have changed.
  func due(isAnswered: Bool) -> Double? {
    guard let change else { return nil }
    guard isAnswered, partlyGone.isEmpty else {
      return min(change.last + Self.quietOfPart, change.first + Self.patienceForPart)
    }
    let quiet = hasArrivals ? Self.quietAfterArrival : Self.quiet
    return min(change.last + quiet, change.first + Self.patience)
  }

  /// Notes that the server has told a change of ports, at a time in seconds.
  mutating func note(at time: Double) { change = (change?.first ?? time, time) }

  /// Notes which ports of devices there were and are now, at a time in seconds.
  mutating func note(_ old: [SystemPort], _ new: [SystemPort], at time: Double) {
    note(at: time)
    let (former, present) = (Set(old.map(\.name)), Set(new.map(\.name)))
    hasArrivals = hasArrivals || !present.isSubset(of: former)
    partlyGone.formUnion(old.filter { !present.contains($0.name) }.map(\.client))
    partlyGone.formIntersection(new.map(\.client))
  }

  /// Whether the router must react now. If so, the change counts as handled.
  mutating func isOver(at time: Double, isAnswered: Bool) -> Bool {
    guard let due = due(isAnswered: isAnswered), due <= time else { return false }
    self = PortSettling()
    return true
  }
}
