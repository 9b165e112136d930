import ControlInterface
import OSC
import Parameters
import SessionModel

/// What a client hears of the values that it sets itself (`/client/echo`).
extension Surface {
  /// Holds back the feedback of the values that a packet has named, for its sender.
  mutating func settle(_ transaction: PacketTransaction) {
    let (peer, state) = (transaction.peer, transaction.state)
    guard !transaction.named.isEmpty, let echo = clients.echo(of: peer), echo != .always else { return }
    let moment = Moment(state, at: transaction.time)
    for match in transaction.named {
      let reading = echo == .never ? match.read(moment) : nil
      guard settling.hold(match, by: peer, at: transaction.time, reading: reading) else { continue }
      // A change by somebody else may wait for its turn to be sent; the client has overtaken it.
      for leaf in leaves(of: match, in: state) { clients.unmark(leaf, for: peer) }
    }
  }

  /// Tells a client the value of a control that it has let rest.
  mutating func confirm(_ hold: HeldControls.Ended, _ moment: Moment) {
    if clients.echo(of: hold.peer) == .never, hold.match.read(moment) == hold.reading { return }
    catchUp(hold.match, hold.peer, moment.state)
  }

  /// Sends the present value to a client that held its control, because it got no feedback meanwhile.
  mutating func catchUp(_ match: Match, _ peer: Peer, _ state: RouterState) {
    for leaf in leaves(of: match, in: state) { clients.mark(leaf, for: peer) }
  }

  /// All leaves that show the value of a control, also by strips.
  private func leaves(of match: Match, in state: RouterState) -> [Match] {
    tree.siblings(of: match) + aliases(of: match, in: state)
  }

  /// The clients that get no feedback of a leaf, because they hold its control, perhaps by a strip.
  func holders(of match: Match, _ state: RouterState) -> Set<Peer> {
    guard !touches.isEmpty || !settling.isEmpty else { return [] }
    let control = (try? match.original(in: state)) ?? match
    return touches.holders(of: control).union(settling.holders(of: control))
  }
}
