public import ControlInterface
import OSC
import Parameters
public import SessionModel

extension Surface {
  /// Answers the sender of a packet at once, after the change is published.
  public mutating func conclude(
    _ trial: Trial, _ state: RouterState, statistics: () -> [Statistic] = { [] }
  ) -> Outcome {
    var answering = Answering(trial)
    return answer(&answering, state, at: trial.transaction.time, statistics: statistics)
  }

  /// Makes the next slice of the answers to a packet.
  ///
  /// - Parameters:
  ///   - slice: the number of messages and searched addresses after which the slice ends.
  ///   - statistics: reads the router's counters.
  public mutating func answer(
    _ answering: inout Answering, _ state: RouterState, at time: Double, slice: Int = .max,
    statistics: () -> [Statistic] = { [] }
  ) -> Outcome {
    var outcome = Outcome()
    guard answering.transaction.failures.isEmpty else {
      refuse(answering.transaction, state, &outcome)
      answering.end()
      return outcome
    }
    let moment = moment(state, at: time)
    var left = slice
    while left > 0, let result = answering.result {
      if let step = answering.takeStep() {
        left -= perform(step, &answering, moment, statistics, &outcome)
      } else {
        finish(result, &answering, &outcome)
      }
    }
    // The port is read only now, because `/hello` or `/subscribe` may have changed it.
    if answering.result != nil { outcome.send(answering.takeWaiting(), to: answerAddress(of: answering)) }
    return outcome
  }

  // MARK: Refused

  /// Sends errors to all subscribers of `/event/error`, within the error limit of the client that caused them.
  mutating func errors(of transaction: inout PacketTransaction) -> [Notification] {
    let (peer, time) = (transaction.peer, transaction.time)
    let client = clients.id(of: peer)
    var told: [Notification] = []
    for index in transaction.failures.indices {
      let failure = transaction.failures[index]
      let allowed = errors.allow(failure, to: peer, at: time)
      transaction.failures[index].allowed = allowed.messages
      if allowed.isPassed { told.append(.error(client: client, address: failure.address, failure.error)) }
    }
    return told
  }

  /// Answers one error for each refused message, and the true values of all leaves that the packet was to set, because nothing was set.
  private mutating func refuse(
    _ transaction: PacketTransaction, _ state: RouterState, _ outcome: inout Outcome
  ) {
    let (peer, time) = (transaction.peer, transaction.time)
    let address = clients.answerAddress(of: peer)
    for failure in transaction.failures {
      if let request = failure.request {
        let response = Self.response(request, failure.error)
        responses.remember(response, to: request.id, from: peer, at: time)
        outcome.send(response, to: peer)
      } else {
        for message in failure.allowed { outcome.send(message, to: address) }
      }
    }
    let moment = moment(state, at: time)
    // True values count as errors do. Otherwise two programs that refuse each other's values would answer each other without end.
    let allowed = errors.allowance(transaction.tried.count, to: peer, at: time)
    outcome.send(
      transaction.tried.values.prefix(allowed).compactMap { match in
        match.read(moment).map { clients.switches(of: peer).message(match, $0) }
      }, to: address)
  }

  // MARK: Accepted

  /// Performs one step of an accepted message.
  ///
  /// - Returns: the number of messages and searched addresses.
  private mutating func perform(
    _ step: PacketTransaction.Step, _ answering: inout Answering, _ moment: Moment,
    _ statistics: () -> [Statistic], _ outcome: inout Outcome
  ) -> Int {
    switch step {
    case .read(let matches):
      for match in matches { read(match, moment, &answering) }
      return matches.count
    case .readAll(let reading):
      var search = reading.search
      search.run(tree, in: moment.state, mostLooks: Self.mostLooks) { match in
        if reading.includes(match) { read(match, moment, &answering) }
        return !answering.isFull
      }
      if !search.isDone, !answering.isFull { answering.putBack(.readAll(reading.continued(by: search))) }
      return max(1, search.looks - reading.search.looks)
    case .list(var listing):
      let answers = listing.isDone ? [listing.emptiness] : listing.take(Self.mostLooks)
      for message in answers { answering.add(message) }
      if !listing.isDone, !answering.isFull { answering.putBack(.list(listing)) }
      return answers.count
    case .touch(let match, let isTouched): touch(match, isTouched, answering.transaction, moment.state)
    case .hold(let match):
      touches.renew(match, by: answering.transaction.peer, at: answering.transaction.time)
    case .act(let command, let match, let arguments):
      if command.isReport || command == .eventsSince || command == .eventLines, answering.isFull { return 1 }
      let syncs = outcome.syncs.count
      let answers = act(command, match, arguments, answering.transaction, moment.state, statistics, &outcome)
      for message in answers { answering.add(message) }
      if outcome.syncs.count > syncs { answering.noteSync(&outcome) }
      return max(1, answers.count)
    case .errand(let job, let address):
      answering.handOver(
        job, to: &outcome, address, clients.answerAddress(of: answering.transaction.peer),
        acknowledges: acknowledges(answering))
    case .light(let pattern):
      clients.change(answering.transaction.peer) { $0.light(pattern) }
      sendDue(moment, &outcome)
    case .answer(let message): answering.add(message)
    case .respondAgain(let response): outcome.send(response, to: answering.transaction.peer)
    }
    return 1
  }

  /// The number of addresses that one step of a reading looks at.
  private static let mostLooks = 500

  private func read(_ match: Match, _ moment: Moment, _ answering: inout Answering) {
    if let value = match.read(moment) ?? meters.read(match, moment.state) {
      answering.add(clients.switches(of: answering.transaction.peer).message(match, value))
    }
  }

  /// Ends the answers to one message.
  private mutating func finish(
    _ result: PacketTransaction.Result, _ answering: inout Answering, _ outcome: inout Outcome
  ) {
    let (transaction, peer) = (answering.transaction, answering.transaction.peer)
    defer { answering.nextMessage() }
    guard let request = result.request else {
      complain(result, transaction, &outcome)
      outcome.send(answering.takeWaiting(), to: clients.answerAddress(of: peer))
      if let error = answering.takeCut(result.address) {
        outcome.send(error, to: clients.answerAddress(of: peer))
      }
      if acknowledges(answering), !answering.isHandedOver {
        outcome.send(Self.ok(result.address), to: clients.answerAddress(of: peer))
      }
      return
    }
    // The sender of a request waits for its response, whatever port it named for feedback. Answers go before it.
    outcome.send(answering.takeWaiting(), to: peer)
    guard !answering.isHandedOver else { return }
    let response = answering.response(to: request, result)
    responses.remember(response, to: request.id, from: peer, at: transaction.time)
    if answering.isSync {
      outcome.syncs.append(Sync(peer: peer, message: response))
    } else {
      outcome.send(response, to: peer)
    }
  }

  /// Whether the sender wants `/ok` for the present message.
  private func acknowledges(_ answering: Answering) -> Bool {
    guard let result = answering.result, !result.isQuestion, result.request == nil else { return false }
    return clients.settings(of: answering.transaction.peer)?.acknowledges ?? false
  }

  /// Where the answers to the present message go.
  private func answerAddress(of answering: Answering) -> Peer {
    let peer = answering.transaction.peer
    return answering.result?.request == nil ? clients.answerAddress(of: peer) : peer
  }

  /// Answers an error for a set that took effect all the same (a warning).
  private mutating func complain(
    _ result: PacketTransaction.Result, _ transaction: PacketTransaction, _ outcome: inout Outcome
  ) {
    for complaint in result.complaints {
      let allowed = errors.allow(complaint, to: transaction.peer, at: transaction.time)
      for message in allowed.messages {
        outcome.send(message, to: clients.answerAddress(of: transaction.peer))
      }
    }
  }

  // MARK: Touched faders

  private mutating func touch(
    _ match: Match, _ isTouched: Bool, _ transaction: PacketTransaction, _ state: RouterState
  ) {
    if isTouched {
      touches.hold(match.shown, by: transaction.peer, at: transaction.time)
    } else if touches.release(match, by: transaction.peer), !settling.isHeld(match, by: transaction.peer) {
      // A value that the client set a moment ago is told when it rests.
      catchUp(match.shown, transaction.peer, state)
    }
    noteFingers()
  }

  // MARK: Messages

  static func ok(_ address: String) -> OSCMessage { OSCMessage("/ok", .string(address)) }

  static func error(_ address: String, _ error: SessionError) -> OSCMessage {
    OSCMessage("/error", [.string(address)] + error.arguments)
  }

  static func response(_ request: RequestKey, _ error: SessionError) -> OSCMessage {
    let arguments = error.arguments
    return OSCMessage(
      "/response", [.int32(request.id), arguments[0], .string(request.address)] + arguments[1...])
  }
}

extension SessionError {
  /// The arguments of an error message: code, symbol and sentence.
  var arguments: [OSCArgument] { [.int32(Int32(code.rawValue)), .string(code.symbol), .string(sentence)] }
}
