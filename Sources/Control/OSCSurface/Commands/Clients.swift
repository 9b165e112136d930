import ControlInterface
import OSC
import Parameters
import Patterns
import SessionModel

/// Commands by which clients register, subscribe and leave.
extension Surface {
  /// `/hello`, with `s name [s passcode [i port]]`. A permission by passcode applies to all later messages of the packet.
  mutating func checkHello(
    _ arguments: Arguments, in transaction: inout PacketTransaction
  ) throws(SessionError) {
    try clients.checkRoom(for: transaction.peer, asGuest: false, at: transaction.time)
    _ = try arguments.text()
    if arguments.all.count > 2 { _ = try port(arguments, of: transaction.peer) }
    transaction.isClient = true
    guard arguments.all.count > 1 else { return }
    let passcode = try arguments.text(at: 1)
    guard !passcode.isEmpty else { return }
    let right = try passcodes.check(
      passcode, of: transaction.peer, with: transaction.right, among: admission.passcodes,
      at: transaction.time)
    transaction.right = max(transaction.right, right)
  }

  /// `/subscribe`, with `[s pattern [f max Hz [i port]]]`.
  func checkSubscription(
    _ arguments: Arguments, in transaction: inout PacketTransaction
  ) throws(SessionError) {
    try clients.checkRoom(for: transaction.peer, asGuest: false, at: transaction.time)
    _ = try pattern(arguments)
    if arguments.all.count > 1 { _ = try arguments.number(at: 1) }
    if arguments.all.count > 2 { _ = try port(arguments, of: transaction.peer) }
    transaction.isClient = true
  }

  /// The port that an argument names.
  /// - Throws: `SessionError` badValue or outOfRange.
  func port(_ arguments: Arguments, at index: Int = 2, of peer: Peer) throws(SessionError) -> UInt16 {
    guard peer.transport.hasPorts else {
      throw SessionError(
        .badValue,
        "clients over \(peer.transport.name) have no ports; answers go to the socket that sent the message")
    }
    let number = try arguments.number(at: index)
    guard let port = UInt16(exactly: number.rounded()), port > 0 else {
      throw SessionError(.outOfRange, "\(number) is not a port; ports are 1 to 65535")
    }
    guard !identity.owns(peer.withPort(port)) else {
      throw SessionError(
        .badValue,
        "port \(port) is the router's own, and a router gets no feedback; name the port at which the surface receives"
      )
    }
    return port
  }

  /// The answer `/welcome`: client id, permission, server name, version, epoch, lease.
  mutating func hello(_ arguments: Arguments, _ transaction: PacketTransaction) -> [OSCMessage] {
    let (peer, name) = (transaction.peer, (try? arguments.text()) ?? "")
    let port = arguments.all.count > 2 ? try? port(arguments, of: peer) : nil
    let passcode = arguments.all.count > 1 ? try? arguments.text(at: 1) : nil
    if let right = passcode.flatMap({ admission.passcodes[$0] }) { passcodes.raise(peer, to: right) }
    clients.enter(peer, transaction.reach, at: transaction.time)
    clients.change(peer) { client in
      client.name = name
      if let port { client.port = port }
    }
    let right = right(of: peer)
    return [
      OSCMessage(
        "/welcome", .int32(Int32(clamping: clients.id(of: peer))), .string("\(right)"),
        .string(identity.name), .string(identity.version), .int32(identity.epoch),
        .int32(Int32(Client.lease)))
    ]
  }

  mutating func subscribe(_ arguments: Arguments, _ transaction: PacketTransaction) {
    let pattern = (try? pattern(arguments)) ?? nil
    let rate = arguments.all.count > 1 ? try? arguments.number(at: 1) : nil
    let asked = arguments.all.count > 2 ? try? port(arguments, of: transaction.peer) : nil
    clients.enter(transaction.peer, transaction.reach, at: transaction.time)
    clients.change(transaction.peer) { client in
      // A surface that receives at another port than it sends from expects answers and errors there, too.
      if let asked { client.port = asked }
      let subscription = Subscription(
        pattern, port: asked ?? client.port, rate: rate, usualRate: client.settings.rate,
        reach: client.reach)
      client.subscribe(subscription, at: transaction.time)
    }
    snapshot(pattern, to: asked, transaction)
  }

  /// Ends the subscriptions that a pattern equals or matches; without a pattern, all.
  mutating func unsubscribe(_ arguments: Arguments, _ transaction: PacketTransaction) {
    let pattern = (try? pattern(arguments)) ?? nil
    clients.change(transaction.peer) { client in
      client.subscriptions.removeAll { subscription in
        pattern.map { $0.text == subscription.text || $0.matchesPrefix(of: subscription.text) } ?? true
      }
      if client.subscriptions.isEmpty { client.lamps = [] }
    }
  }

  /// The message that begins the feedback to a port that a client has named. Another router at that port then ignores the feedback
  /// (`OtherRouters`).
  ///
  /// - Parameter index: which argument names the port.
  func alive(_ arguments: Arguments, at index: Int = 2, _ transaction: PacketTransaction) -> Datagram? {
    let peer = transaction.peer
    guard arguments.all.count > index, let port = try? port(arguments, at: index, of: peer), port != peer.port
    else { return nil }
    let sequence = clients.sequence(of: peer)
    return Datagram(
      to: peer.withPort(port), .message(OSCMessage("/alive", .int32(identity.epoch), .int32(sequence))))
  }

  // MARK: What was lost

  /// `/resync`, with `i sequence`.
  mutating func resync(_ arguments: Arguments, _ state: RouterState, _ peer: Peer) {
    let tree = tree
    clients.change(peer) { client in
      client.losses += 1
      client.resync(after: arguments.integer) { try? tree.find($0, in: state) }
    }
  }

  /// Queues a snapshot.
  mutating func snapshot(_ pattern: AddressPattern?, to port: UInt16?, _ transaction: PacketTransaction) {
    clients.change(transaction.peer) { client in
      for index in client.lamps.indices { client.lamps[index].repeatValue() }
      client.enqueue(Snapshot(pattern, port: port ?? client.port, client.reach))
    }
  }
}
