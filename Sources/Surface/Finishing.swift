import OSC
import Parameters
import SessionModel

extension Surface {
  /// Takes over a transaction, or undoes it; then answers.
  mutating func finish(_ transaction: Transaction, _ state: inout RouterState) -> Outcome {
    guard transaction.failures.isEmpty else { return refuse(transaction, state) }
    let before = state
    state = transaction.state
    var outcome = publish(transaction.notifications, from: before, to: state, at: transaction.time)
    for result in transaction.results { answer(result, transaction, state, &outcome) }
    return outcome
  }

  /// One error per offending message; what else the packet held is undone with them.
  private mutating func refuse(_ transaction: Transaction, _ state: RouterState) -> Outcome {
    var outcome = Outcome()
    let peer = clients.answerAddress(of: transaction.peer)
    for failure in transaction.failures {
      if let request = failure.request {
        let response = Self.response(request, failure.error)
        clients.remember(response, to: request, from: transaction.peer, at: transaction.time)
        outcome.send(response, to: peer)
      } else if let message = clients.limit(Self.error(failure), to: transaction.peer, at: transaction.time) {
        outcome.send(message, to: peer)
      }
      tellOfError(failure, transaction, state, &outcome)
      if let leaf = failure.leaf, let value = leaf.read(state, at: transaction.time) {
        outcome.send(OSCMessage(leaf.address, value), to: peer)
      }
    }
    return outcome
  }

  /// Those who listen to `/event/error` see everybody's errors.
  private mutating func tellOfError(
    _ failure: Transaction.Failure, _ transaction: Transaction, _ state: RouterState, _ outcome: inout Outcome
  ) {
    let client = clients.id(of: transaction.peer)
    let notification = Notification.error(client: client, address: failure.address, failure.error)
    outcome.merge(publish([notification], from: state, to: state, at: transaction.time))
  }

  private mutating func answer(
    _ result: Transaction.Result, _ transaction: Transaction, _ state: RouterState, _ outcome: inout Outcome
  ) {
    let peer = clients.answerAddress(of: transaction.peer)
    var answers: [OSCMessage] = []
    for step in result.steps {
      switch step {
      case .read(let matches):
        for match in matches {
          if let value = match.read(state, at: transaction.time) ?? meters.read(match, state) {
            answers.append(OSCMessage(match.address, value))
          }
        }
      case .touch(let match, let isTouched): touch(match, isTouched, transaction)
      case .act(let command, let match, let arguments):
        answers += act(command, match, arguments, transaction, state, &outcome)
      case .repeated(let message): answers.append(message)
      }
    }
    guard let request = result.request else {
      for message in answers { outcome.send(message, to: peer) }
      return
    }
    // One answer travels in the response; several go before it, and it says how many.
    var response: [OSCArgument] = [.int32(request.id), .int32(0), .string(request.address)]
    if answers.count == 1 {
      response += answers[0].arguments
    } else if answers.count > 1 {
      for message in answers { outcome.send(message, to: peer) }
      response.append(.int32(Int32(answers.count)))
    }
    let message = OSCMessage("/response", response)
    clients.remember(message, to: request, from: transaction.peer, at: transaction.time)
    outcome.send(message, to: peer)
  }

  private mutating func touch(_ match: Match, _ isTouched: Bool, _ transaction: Transaction) {
    touches[LeafKey(match)] =
      isTouched ? Touch(peer: transaction.peer, end: transaction.time + Touch.patience) : nil
  }

  static func error(_ failure: Transaction.Failure) -> OSCMessage {
    OSCMessage("/error", [.string(failure.address)] + failure.error.arguments)
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
