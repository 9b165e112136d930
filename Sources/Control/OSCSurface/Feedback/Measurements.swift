public import ControlInterface
import Parameters
import Patterns
import SessionModel

/// Measured values, which change all the time: the router tells of them twice a second, past the comparison of whole states.
extension Surface {
  /// Marks the measured values that have changed, for the subscriptions whose patterns name them; now and then all of them, because no
  /// snapshot has them.
  public mutating func publishMeasurements(_ change: Change) -> Outcome {
    var outcome = Outcome()
    lapse(at: change.time)
    guard clients.wantMeasurements else { return outcome }
    let isFull = isMeasurementRound(at: change.time)
    let states = Comparison(
      from: change.before, to: change.after, at: change.time, touched: fingers)
    for match in tree.measured(in: change.after)
    where isFull || match.read(states.before) != match.read(states.after) {
      clients.mark(match)
    }
    sendDue(states.after, &outcome)
    return outcome
  }
}

extension Surface {
  /// Whether it is time to send all measured values; false at the first call.
  private mutating func isMeasurementRound(at time: Double) -> Bool {
    guard let next = nextMeasurementRound, time < next else {
      defer { nextMeasurementRound = time + Self.measurementRound }
      return nextMeasurementRound != nil
    }
    return false
  }

  /// Seconds after which a subscriber gets all measured values.
  private static let measurementRound = 4.0
}

extension AddressTree {
  /// The leaves of all measured values that exist.
  fileprivate func measured(in state: RouterState) -> [Match] {
    measured.flatMap { leaf -> [Match] in
      let parts = leaf.parameter.parts
      guard let place = parts.firstIndex(where: { $0.first == "<" }),
        let placeholder = Placeholder(rawValue: String(parts[place]))
      else { return [Match(address: leaf.parameter.address, leaf: leaf, target: Target())] }
      return placeholder.names(in: state, at: Target()).compactMap { name in
        guard let target = placeholder.fill(name, into: Target()) else { return nil }
        let address = parts.enumerated().map { "/" + ($0 == place ? name : String($1)) }.joined()
        return Match(address: address, leaf: leaf, target: target)
      }
    }
  }
}

extension Subscription {
  /// Whether the pattern may match measured values. A subscription of everything has none, as it has no meters.
  var mayWantMeasurements: Bool {
    guard let first = pattern?.parts.first else { return false }
    return Self.measuredKinds.contains(where: first.matches)
  }

  /// Whether an address may be that of a measured value. Few addresses pass the first test, which is quick.
  static func isMeasured(_ address: String) -> Bool {
    if address.hasPrefix("/health/") { return measuredAddresses.contains(address) }
    return measuredOfObjects.contains { address.hasSuffix($0.end) && address.hasPrefix($0.start) }
  }

  private static let measuredAddresses = Set(Table.parameters.filter(\.isMeasured).map(\.address))
  /// The first words of measured values.
  private static let measuredKinds = Set(measuredAddresses.map { String($0.split(separator: "/")[0]) })
  /// What stands before and behind the id in the addresses of measured values of objects, such as `/output/` and `/drift`.
  private static let measuredOfObjects = measuredAddresses.compactMap {
    address -> (start: String, end: String)? in
    guard let start = address.firstIndex(of: "<"), let end = address.firstIndex(of: ">") else { return nil }
    return (String(address[..<start]), String(address[address.index(after: end)...]))
  }
}
