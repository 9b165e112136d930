import OSC
import Parameters
public import SessionModel

extension Surface {
  /// The second half of `receive`: tells subscribers, then answers.
  public mutating func conclude(_ trial: Trial, _ state: RouterState) -> Outcome {
    let transaction = trial.transaction
    var outcome = publish(
      transaction.notifications, from: trial.before, to: state, at: transaction.time)
    guard transaction.failures.isEmpty else {
      refuse(transaction, state, &outcome)
      return outcome
    }
    for result in transaction.results { answer(result, transaction, state, &outcome) }
    return outcome
  }

  // MARK: Refused

  /// One error per offending message, and the true values of all that was to be set, for all of it is undone.
  private mutating func refuse(
    _ transaction: Transaction, _ state: RouterState, _ outcome: inout Outcome
  ) {
    let (peer, time) = (transaction.peer, transaction.time)
    let address = clients.answerAddress(of: peer)
    for failure in transaction.failures {
      let allowed = errors.allow(failure, to: peer, at: time)
      if allowed.isPassed { tellOfError(failure, transaction, state, &outcome) }
      if let request = failure.request {
        let response = Self.response(request, failure.error)
        responses.remember(response, to: request.id, from: peer, at: time)
        outcome.send(response, to: address)
      } else {
        for message in allowed.messages { outcome.send(message, to: address) }
      }
    }
    let moment = Moment(state, at: time)
    outcome.send(
      transaction.tried.values.compactMap { match in
        match.read(moment).map { OSCMessage(match.address, $0) }
      }, to: address)
  }

  /// Those who listen to `/event/error` see everybody's errors.
  private mutating func tellOfError(
    _ failure: Transaction.Failure, _ transaction: Transaction, _ state: RouterState, _ outcome: inout Outcome
  ) {
    let client = clients.id(of: transaction.peer)
    let notification = Notification.error(client: client, address: failure.address, failure.error)
    outcome.merge(publish([notification], from: state, to: state, at: transaction.time))
  }

  // MARK: Accepted

  private mutating func answer(
    _ result: Transaction.Result, _ transaction: Transaction, _ state: RouterState, _ outcome: inout Outcome
  ) {
    var answers: [OSCMessage] = []
    let syncs = outcome.syncs.count
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
        answers += act(command, match, arguments, transaction, state, &outcome)
      case .answer(let message): answers.append(message)
      }
    }
    // Only now: `/hello` may have said where its answer goes.
    let peer = clients.answerAddress(of: transaction.peer)
    guard let request = result.request else {
      complain(result, transaction, &outcome)
      return outcome.send(answers, to: peer)
    }
    if let complaint = result.complaints.first {
      let response = Self.response(request, complaint.error)
      responses.remember(response, to: request.id, from: transaction.peer, at: transaction.time)
      return outcome.send(response, to: peer)
    }
    // One answer travels in the response; several go before it, and it says how many.
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
      outcome.syncs[outcome.syncs.count - 1].message = response
    } else {
      outcome.send(response, to: peer)
    }
  }

  /// Answers with an error what took effect all the same.
  private mutating func complain(
    _ result: Transaction.Result, _ transaction: Transaction, _ outcome: inout Outcome
  ) {
    for complaint in result.complaints {
      let allowed = errors.allow(complaint, to: transaction.peer, at: transaction.time)
      for message in allowed.messages {
        outcome.send(message, to: clients.answerAddress(of: transaction.peer))
      }
    }
  }

  // MARK: Fingers on faders

  private mutating func touch(_ match: Match, _ isTouched: Bool, _ transaction: Transaction) {
    if isTouched {
      touches.press(match.shown, by: transaction.peer, at: transaction.time)
    } else if touches.release(match, by: transaction.peer) {
      catchUp(match.shown, transaction.peer)
    }
  }

  /// Who let go hears what others did meanwhile.
  mutating func catchUp(_ match: Match, _ peer: PeerAddress) {
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
  /// Code, symbol and sentence.
  var arguments: [OSCArgument] { [.int32(Int32(code.rawValue)), .string(code.symbol), .string(sentence)] }
}
