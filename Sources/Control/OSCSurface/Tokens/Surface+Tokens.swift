public import ControlInterface
import OSC
import Parameters
public import SessionModel

/// Tokens for mixes (docs/develop/law/osc.md#14-rights): who presents one may use one mix, and nothing else.
extension Surface {
  /// What a client may reach.
  func reach(of peer: Peer) -> Reach {
    if let reach = tokens.reach(of: peer) { return reach }
    guard right(of: peer) < .view else { return .everything }
    return .nothing("\(peer.host) may only present a token, with /token, or a passcode, with /hello")
  }

  /// Checks that the sender of a packet may send a message to an address at all, before it is told what there is.
  /// - Throws: `SessionError` denied.
  func checkReach(_ address: String, _ transaction: PacketTransaction) throws(SessionError) {
    let reach = transaction.reach
    guard reach.serves(address) || reach.reads(address) || reach.sets(address) else {
      throw SessionError(.denied, reach.reason(address))
    }
  }

  /// `/token`, with `s token`. The right applies to all later messages of the packet.
  mutating func checkToken(
    _ arguments: Arguments, in transaction: inout PacketTransaction
  ) throws(SessionError) {
    try clients.checkRoom(for: transaction.peer, asGuest: false, at: transaction.time)
    tokens.forgetLost(but: clients.peers)
    let token = try tokens.find(try arguments.text(), of: transaction.peer, at: transaction.time)
    (transaction.reach, transaction.right) = (.mix(MixScope(output: token.output.name)), .control)
    (transaction.token, transaction.isClient) = (token, true)
  }

  /// Makes the sender a client of one mix. What it subscribed to before ends.
  mutating func present(_ transaction: PacketTransaction) -> [OSCMessage] {
    guard let token = transaction.token else { return [] }
    let peer = transaction.peer
    let (name, port) = (clients.clients[peer]?.name, clients.clients[peer]?.port)
    leave(peer)
    clients.enter(peer, transaction.reach, at: transaction.time)
    if let name, let port { clients.change(peer) { ($0.name, $0.port) = (name, port) } }
    tokens.note(token, of: peer)
    return [
      OSCMessage(
        "/token/welcome", .int32(Int32(clamping: clients.id(of: peer))), .string(token.output.name),
        .string(token.name), .int32(Int32(clamping: Int(tokens.left(of: token)))))
    ]
  }

  /// The work of `/token/make`, with `s output [f hours [s name]]`.
  /// - Throws: `SessionError` notFound, outOfRange, full or badValue.
  func tokenJob(
    _ arguments: Arguments, in transaction: PacketTransaction
  ) throws(SessionError) -> Errand.Job {
    let output: PortID = try arguments.id()
    guard transaction.state.outputs.contains(output) else {
      let names = transaction.state.outputs.keys.map(\.name)
      throw SessionError(
        .notFound, "there is no output \(output); \(NearestName.hint(for: output.name, among: names))")
    }
    let seconds = arguments.all.count > 1 ? try arguments.number(at: 1) * 3_600 : MixTokens.usualLength
    guard MixTokens.lengths.contains(seconds) else {
      throw SessionError(.outOfRange, "a token lasts from a minute to 31 days (744 hours)")
    }
    let name = arguments.all.count > 2 ? try arguments.text(at: 2) : tokens.freeName(for: output)
    try tokens.check(name)
    return .token(output, name: name, seconds: seconds)
  }

  /// Adds a token. On the policy thread.
  ///
  /// - Parameter hash: that of the token's secret.
  /// - Throws: `SessionError` full or badValue.
  public mutating func addToken(
    _ output: PortID, name: String, seconds: Double, hash: String
  ) throws(SessionError) -> MixToken {
    try tokens.add(name, output, seconds: seconds, hash: hash)
  }

  /// One row per token: id, name, output, seconds left, number of clients.
  func tokenRows() -> [[OSCArgument]] {
    tokens.tokens.map { token in
      [
        .int32(Int32(clamping: token.id)), .string(token.name), .string(token.output.name),
        .int32(Int32(clamping: Int(tokens.left(of: token)))),
        .int32(Int32(clamping: tokens.holders.values.count { $0 == token.id })),
      ]
    }
  }

  /// Ends a token now, and tells the clients that have used it.
  mutating func endToken(_ token: MixToken, _ reason: String, _ outcome: inout Outcome) {
    for peer in tokens.end(token) {
      outcome.send(
        OSCMessage("/token/ended", .string(token.name), .string(reason)), to: clients.answerAddress(of: peer))
      silence(peer)
    }
  }

  /// Ends the tokens whose time is over.
  mutating func endTokens(_ outcome: inout Outcome) {
    for token in tokens.ended { endToken(token, "its time is over", &outcome) }
  }
}
