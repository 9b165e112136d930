import ControlInterface
import OSC
import Parameters
import SessionModel

/// What a client hears of the values that it sets itself (`/client/echo`).
extension Surface {
  /// Holds back the feedback of the values that a packet has named, for its sender.
  mutating func settle(_ transaction: PacketTransaction) {
    let peer = transaction.peer
    guard !transaction.named.isEmpty, let echo = clients.echo(of: peer), echo != .always else { return }
    let moment = Moment(transaction.state, at: transaction.time)
    // A value that changes nothing is not told again: a surface that returns every value it gets would never come to rest.
    for named in transaction.named where named.isNews || settling.isHeld(named.match, by: peer) {
      let match = named.match
      let reading = echo == .never ? match.read(moment) : nil
      settling.hold(match, by: peer, at: transaction.time, reading: reading)
    }
  }

  /// Tells a client the value of a control that it has let rest. While its finger stays on the control, the end of the touch does that.
  mutating func confirm(_ hold: HeldControls.Ended, _ moment: Moment) {
    guard !touches.isHeld(hold.match, by: hold.peer) else { return }
    if clients.echo(of: hold.peer) == .never, hold.match.read(moment) == hold.reading { return }
    catchUp(hold.match, hold.peer, moment.state)
  }

  /// Sends the present value to a client that held its control, because it got no feedback meanwhile: at all leaves that show it.
  mutating func catchUp(_ match: Match, _ peer: Peer, _ state: RouterState) {
    for leaf in tree.siblings(of: match) + aliases(of: match, in: state) { clients.mark(leaf, for: peer) }
  }
}
