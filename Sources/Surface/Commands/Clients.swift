import OSC
import Parameters
import SessionModel

/// Who the clients are and what they want to hear.
extension Surface {
  /// `s name [s passcode [i port]]`; a right that a passcode gives counts for what follows in the packet.
  mutating func checkHello(
    _ arguments: Arguments, in transaction: inout Transaction
  ) throws(SessionError) {
    try clients.checkRoom(for: transaction.peer, asGuest: false, at: transaction.time)
    _ = try arguments.text()
    if arguments.all.count > 2 { _ = try port(arguments) }
    guard arguments.all.count > 1 else { return }
    let passcode = try arguments.text(at: 1)
    guard !passcode.isEmpty else { return }
    let right = try passcodes.check(
      passcode, of: transaction.peer, among: admission.passcodes, at: transaction.time)
    transaction.right = max(transaction.right, right)
  }

  /// `[s pattern [f max Hz [i port]]]`
  func checkSubscription(_ arguments: Arguments, in transaction: Transaction) throws(SessionError) {
    try clients.checkRoom(for: transaction.peer, asGuest: false, at: transaction.time)
    _ = try pattern(arguments)
    if arguments.all.count > 1 { _ = try arguments.number(at: 1) }
    if arguments.all.count > 2 { _ = try port(arguments) }
  }

  private func port(_ arguments: Arguments) throws(SessionError) -> UInt16 {
    let number = try arguments.number(at: 2)
    guard let port = UInt16(exactly: number.rounded()), port > 0 else {
      throw SessionError(.outOfRange, "\(number) is no port; ports are 1 to 65535")
    }
    return port
  }

  /// `/welcome`: client id, rights, server name, version, epoch, lease.
  mutating func hello(_ arguments: Arguments, _ transaction: Transaction) -> [OSCMessage] {
    let (peer, name) = (transaction.peer, (try? arguments.text()) ?? "")
    let port = arguments.all.count > 2 ? try? port(arguments) : nil
    let passcode = arguments.all.count > 1 ? try? arguments.text(at: 1) : nil
    if let right = passcode.flatMap({ admission.passcodes[$0] }) { passcodes.raise(peer, to: right) }
    clients.enter(peer, at: transaction.time)
    clients.change(peer) { client in
      client.name = name
      if let port { client.port = port }
    }
    let right = max(admission.right(of: peer), passcodes.right(of: peer))
    return [
      OSCMessage(
        "/welcome", .int32(Int32(clamping: clients.id(of: peer))), .string("\(right)"),
        .string(identity.name), .string(identity.version), .int32(identity.epoch),
        .int32(Int32(ClientRegistry.patience)))
    ]
  }

  mutating func subscribe(_ arguments: Arguments, _ transaction: Transaction, _ state: RouterState) {
    let pattern = (try? pattern(arguments)) ?? nil
    let rate = arguments.all.count > 1 ? try? arguments.number(at: 1) : nil
    let asked = arguments.all.count > 2 ? try? port(arguments) : nil
    clients.enter(transaction.peer, at: transaction.time)
    clients.change(transaction.peer) { client in
      let subscription = Subscription(
        pattern, port: asked ?? client.port, rate: rate ?? Subscription.usualRate)
      client.subscriptions.removeAll { $0.text == subscription.text && $0.port == subscription.port }
      client.subscriptions.append(subscription)
    }
    snapshot(pattern, to: asked, transaction, state)
  }

  /// Ends the subscriptions that a pattern names or matches, or all.
  mutating func unsubscribe(_ arguments: Arguments, _ transaction: Transaction) {
    let pattern = (try? pattern(arguments)) ?? nil
    clients.change(transaction.peer) { client in
      client.subscriptions.removeAll { subscription in
        pattern.map { $0.text == subscription.text || $0.matchesPrefix(of: subscription.text) } ?? true
      }
    }
  }

  /// Queues every readable leaf but meters and lists, with panic always; the values are read when their packet goes.
  mutating func snapshot(
    _ pattern: AddressPattern?, to port: UInt16?, _ transaction: Transaction, _ state: RouterState
  ) {
    var matches = tree.find(prefix: pattern, in: state).filter { $0.isReadable && !$0.parameter.isMeter }
    // What moves already began when perhaps nobody followed it.
    let moment = Moment(state, at: transaction.time)
    for match in matches where match.aspect == .value && match.parameter.isMoving(moment, match.target) {
      follow(match, moment)
    }
    if let panic = try? tree.find(Self.panic, in: state),
      !matches.contains(where: { $0.address == Self.panic })
    {
      matches.insert(panic, at: 0)
    }
    clients.change(transaction.peer) { client in
      client.enqueue(Snapshot(pattern: pattern?.text ?? "/*", port: port ?? client.port, rest: matches[...]))
    }
  }

  private static let panic = "/system/panic"
}
