public import ControlInterface
import OSC
import Parameters
public import SessionModel

extension Surface {
  /// Answers the sender of a packet, after the change is published.
  public mutating func conclude(
    _ trial: Trial, _ state: RouterState, statistics: () -> [Statistic] = { [] }
  ) -> Outcome {
    let transaction = trial.transaction
    var outcome = Outcome()
    guard transaction.failures.isEmpty else {
      refuse(transaction, state, &outcome)
      return outcome
    }
    for result in transaction.results { answer(result, transaction, state, statistics, &outcome) }
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
    let moment = Moment(state, at: time)
    outcome.send(
      transaction.tried.values.compactMap { match in
        match.read(moment).map { OSCMessage(match.address, $0) }
      }, to: address)
  }

  // MARK: Accepted

  private mutating func answer(
    _ result: PacketTransaction.Result, _ transaction: PacketTransaction, _ state: RouterState,
    _ statistics: () -> [Statistic], _ outcome: inout Outcome
  ) {
    var answers: [OSCMessage] = []
    let (syncs, reloads) = (outcome.syncs.count, outcome.reloads.count)
    let moment = Moment(state, at: transaction.time)
    for step in result.steps {
      switch step {
      case .read(let matches):
        for match in matches {
          if let value = match.read(moment) ?? meters.read(match, state) {
            answers.append(OSCMessage(match.address, value))
          }
        }
      case .touch(let match, let isTouched): touch(match, isTouched, transaction)
      case .hold(let match): touches.renew(match, by: transaction.peer, at: transaction.time)
      case .act(let command, let match, let arguments):
        answers += act(command, match, arguments, transaction, state, statistics, &outcome)
      case .light(let pattern):
        let value = tree.lamp(of: pattern, moment)
        clients.change(transaction.peer) { $0.light(pattern, value: value) }
        clients.flush(moment, &outcome)
      case .answer(let message): answers.append(message)
      case .respondAgain(let response): outcome.send(response, to: transaction.peer)
      }
    }
    guard let request = result.request else {
      complain(result, transaction, &outcome)
      // The port is read only now, because `/hello` or `/subscribe` may have changed it.
      return outcome.send(answers, to: clients.answerAddress(of: transaction.peer))
    }
    // The sender of a request waits for its response, whatever port it named for feedback.
    let peer = transaction.peer
    if outcome.reloads.count > reloads {
      outcome.reloads[outcome.reloads.count - 1] = Reload(from: peer, request)
      return
    }
    if let complaint = result.complaints.first {
      let response = Self.response(request, complaint.error)
      responses.remember(response, to: request.id, from: transaction.peer, at: transaction.time)
      return outcome.send(response, to: peer)
    }
    // A single answer is part of the response. Several answers go before it, and the response has their number.
    var arguments: [OSCArgument] = [.int32(request.id), .int32(0), .string(request.address)]
    if answers.count == 1 {
      arguments += answers[0].arguments
    } else if answers.count > 1 {
      outcome.send(answers, to: peer)
      arguments.append(.int32(Int32(answers.count)))
    }
    let response = OSCMessage("/response", arguments)
    responses.remember(response, to: request.id, from: transaction.peer, at: transaction.time)
    if outcome.syncs.count > syncs {
      outcome.syncs[outcome.syncs.count - 1] = Sync(peer: peer, message: response)
    } else {
      outcome.send(response, to: peer)
    }
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

  private mutating func touch(_ match: Match, _ isTouched: Bool, _ transaction: PacketTransaction) {
    if isTouched {
      touches.press(match.shown, by: transaction.peer, at: transaction.time)
    } else if touches.release(match, by: transaction.peer) {
      catchUp(match.shown, transaction.peer)
    }
  }

  /// Sends the present value to a client that ended its touch, because it got no feedback meanwhile.
  mutating func catchUp(_ match: Match, _ peer: Peer) {
    for leaf in tree.siblings(of: match) { clients.mark(leaf, for: peer) }
  }

  // MARK: Messages

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
