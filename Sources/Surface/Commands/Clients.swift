import OSC
import Parameters
import SessionModel

/// Who the clients are and what they want to hear.
extension Surface {
  /// Checks `/hello` and `/subscribe` before anything else of their packet takes effect.
  mutating func checkClient(
    _ command: Command, _ arguments: Arguments, in transaction: inout Transaction,
    _ result: inout Transaction.Result, _ match: Match
  ) throws(SessionError) {
    _ = try clients.enter(transaction.peer, at: transaction.time)
    if command == .hello {
      try clients.checkPasscodeDelay(of: transaction.peer, at: transaction.time)
      _ = try arguments.text()
      if arguments.all.count > 1, !(try arguments.text(at: 1)).isEmpty { try raise(arguments, &transaction) }
    } else {
      _ = try pattern(arguments)
      if arguments.all.count > 1 { _ = try arguments.number(at: 1) }
    }
    if arguments.all.count > 2 { _ = try port(arguments) }
    result.steps.append(.act(command, match, arguments))
  }

  /// A passcode raises the right of a client; three wrong ones cost its host 10 s.
  private mutating func raise(
    _ arguments: Arguments, _ transaction: inout Transaction
  ) throws(SessionError) {
    guard let right = admission.passcodes[try arguments.text(at: 1)] else {
      clients.wrongPasscode(from: transaction.peer, at: transaction.time)
      throw SessionError(.denied, "the passcode is wrong")
    }
    clients.rightPasscode(from: transaction.peer)
    clients.change(transaction.peer) { $0.right = max($0.right, right) }
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
    let name = (try? arguments.text()) ?? ""
    let port = arguments.all.count > 2 ? try? port(arguments) : nil
    clients.change(transaction.peer) { client in
      client.name = name
      if let port { client.port = port }
    }
    return [
      OSCMessage(
        "/welcome", .int32(Int32(clamping: clients.id(of: transaction.peer))),
        .string("\(right(after: transaction))"), .string(identity.name), .string(identity.version),
        .int32(identity.epoch), .int32(Int32(ClientRegistry.patience)))
    ]
  }

  private func right(after transaction: Transaction) -> Right {
    max(transaction.right, clients.raisedRight(of: transaction.peer))
  }

  mutating func subscribe(_ arguments: Arguments, _ transaction: Transaction, _ state: RouterState) {
    let pattern = (try? pattern(arguments)) ?? nil
    let rate =
      arguments.all.count > 1
      ? (try? arguments.number(at: 1)) ?? Subscription.usualRate : Subscription.usualRate
    let asked = arguments.all.count > 2 ? try? port(arguments) : nil
    clients.change(transaction.peer) { client in
      let text = pattern?.text ?? ""
      let subscription = Subscription(
        text: text, pattern: pattern, port: asked ?? client.port, interval: 1 / min(max(rate, 0.1), 1_000))
      client.subscriptions.removeAll { $0.text == text }
      client.subscriptions.append(subscription)
    }
    snapshot(pattern, to: asked, transaction, state)
  }

  mutating func unsubscribe(_ arguments: Arguments, _ transaction: Transaction) {
    let text = (try? arguments.text()) ?? ""
    clients.change(transaction.peer) { client in
      client.subscriptions.removeAll { text.isEmpty || $0.text == text }
    }
  }

  /// Queues every readable leaf but meters and lists; the values are read when their packet goes.
  mutating func snapshot(
    _ pattern: AddressPattern?, to port: UInt16?, _ transaction: Transaction, _ state: RouterState
  ) {
    var matches: [Match] = []
    tree.forEach(in: state) { match in
      guard match.aspect.isReadable, !match.parameter.isCommand else { return }
      if pattern?.matchesPrefix(of: match.address) ?? true { matches.append(match) }
    }
    let text = pattern?.text ?? ""
    clients.change(transaction.peer) { client in
      client.snapshots.append(
        Snapshot(pattern: text.isEmpty ? "/*" : text, port: port ?? client.port, rest: matches[...]))
    }
  }
}
