import ControlInterface
import OSC
import Parameters
import SessionModel

/// Whose fingers are on which faders, so that everybody sees them (docs/develop/law/osc.md#3-shorthands).
extension Surface {
  /// A state as clients read it.
  func moment(_ state: RouterState, at time: Double) -> Moment { Moment(state, at: time, touched: fingers) }

  /// The addresses of the values whose faders clients touch.
  var touchedAddresses: Set<String> {
    Set(touches.holders.map { match, _ in match.leaf.valueAddress(match.address) })
  }

  /// Tells subscribers of fingers that have come or gone. Called after each change of `touches`.
  mutating func noteFingers() {
    let all = touches.holders.flatMap { match, peers in
      peers.map {
        "\(match.leaf.valueAddress(match.address)) \(clients.id(of: $0)) \(clients.clients[$0]?.name ?? "")"
      }
    }
    let told = Array(all.sorted().prefix(Self.mostFingers))
    guard told != fingers else { return }
    fingers = told
    guard let leaf = tree.node(Self.touched)?.leaf else { return }
    clients.mark(Match(address: Self.touched, leaf: leaf, target: Target()))
  }

  private static let touched = "/system/touched"
  /// A client may touch all faders by a pattern; a message stays small.
  private static let mostFingers = 32
}
