public import ControlInterface
import OSC
import Parameters
public import SessionModel

/// OSCQuery's questions and commands.
extension SurfaceService {
  /// Takes the text of a client's connection, without waiting. Any thread. Text that is no command is ignored, as OSCQuery wants it, and counted.
  public func receive(text: [UInt8], from peer: Peer) {
    guard let command = QueryCommand(text) else { return texts.ignore() }
    texts.add(command, from: peer)
    takeTextTurn()
  }

  /// Asks for the state from which a host's question is answered. Any thread; the policy thread calls `take`, which must not wait.
  ///
  /// - Parameter take: gets nil if the host may not ask this.
  public func view(
    for question: QueryQuestion, of host: HostAddress, _ take: @escaping @Sendable (QueryView?) -> Void
  ) {
    texts.add(TextInbox.Asked(host: host, right: question.leastRight, take: take))
    takeTextTurn()
  }

  /// Takes a turn for what waits, unless one is on its way. Without one the next turn of anybody serves.
  func takeTextTurn() {
    if texts.mustTakeTurn(), !takeTurn(.texts) { texts.cancelTurn() }
  }

  /// Carries out a slice of what waits.
  func carryOutTexts(_ state: RouterState, at time: Double) {
    let (questions, peer, commands) = texts.beginTurn()
    for question in questions {
      let mayAsk = surface.admission.right(of: question.host) >= question.right
      question.take(mayAsk ? surface.view(state, at: time) : nil)
    }
    guard let peer, isConnected(peer) else { return }
    for command in commands where !surface.carryOut(command, of: peer, state, at: time) { texts.ignore() }
    send(surface.presentListened(state, at: time))
  }

  /// Tells the clients of OSCQuery which nodes have come and gone: at once if nothing has changed lately, otherwise ten times a second at most,
  /// because a comparison of two states costs more than the move of a fader.
  func announce(_ change: Change) {
    guard change.before != change.after else { return }
    guard surface.hasListeners || !textClients().isEmpty else { return untold = nil }
    if untold == nil { untold = Untold(before: change.before, due: toldAt + Self.pause) }
    announceDue(change.after, at: change.time)
  }

  /// Tells what is due.
  func announceDue(_ state: RouterState, at time: Double) {
    guard let former = untold, time >= former.due else { return }
    (untold, toldAt) = (nil, time)
    let peers = textClients().filter { surface.right(of: $0) >= .view }
    guard !peers.isEmpty || surface.hasListeners else { return }
    let changes = PathChanges(from: former.before, to: state)
    guard !changes.isEmpty else { return }
    surface.endListens(changes.removed)
    guard !peers.isEmpty else { return }
    for message in changes.messages(surface.view(state, at: time)) {
      for peer in peers { sendText(peer, Array(message.utf8)) }
    }
  }

  private static let pause = 0.1

  /// The state before the first change that was not compared yet, and when that is done.
  struct Untold {
    let before: RouterState
    let due: Double
  }
}

extension Surface {
  /// What is read for the answers to questions.
  public func view(_ state: RouterState, at time: Double) -> QueryView {
    QueryView(state: state, time: time, meters: meters, fingers: fingers)
  }

  var hasListeners: Bool { !clients.listens.isEmpty }

  /// Carries out a command of OSCQuery.
  ///
  /// - Returns: false if it comes to nothing: there is no such value, or the client may not read.
  mutating func carryOut(_ command: QueryCommand, of peer: Peer, _ state: RouterState, at time: Double)
    -> Bool
  {
    switch command {
    case .listen(let address):
      guard right(of: peer) >= .view, let (node, target) = QueryNode.find(address, in: state),
        let leaf = node.value?.leaf, leaf.queryAccess != 2
      else { return false }
      let match = Match(address: address, leaf: leaf, target: target)
      guard clients.listens.add(match, for: peer, at: time) else { return false }
      if let reading = meters.read(match, state) { clients.listens.meters.present(reading, of: address) }
      // A fade may have begun before anybody listened.
      let moment = Moment(state, at: time)
      if match.parameter.isMoving(moment, target) { follow(match.valueLeaf, moment) }
    case .ignore(let address): clients.listens.remove(address, for: peer)
    }
    return true
  }

  /// Sends the present values to clients that have just begun to listen.
  mutating func presentListened(_ state: RouterState, at time: Double) -> Outcome {
    var outcome = Outcome()
    sendDue(moment(state, at: time), &outcome)
    return outcome
  }

  /// Ends the listening to nodes that are gone.
  mutating func endListens(_ addresses: [String]) {
    for address in addresses { clients.listens.end(below: address) }
  }
}

extension Match {
  /// The value that a fader's position shows; any other leaf itself.
  fileprivate var valueLeaf: Match {
    guard aspect == .position else { return self }
    return Match(
      address: leaf.valueAddress(address), leaf: AddressTree.Leaf(parameter: parameter, aspect: .value),
      target: target)
  }
}
