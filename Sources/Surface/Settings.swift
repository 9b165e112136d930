public import OSC
import Parameters
public import SessionModel

extension Surface {
  /// Everything that has been set, as the messages that would set it again; sessions and streams come before what belongs to them.
  public func settings(of state: RouterState, at time: Double) -> [OSCMessage] {
    var messages: [OSCMessage] = []
    for session in state.sessions.values {
      messages.append(
        OSCMessage("/session/create", .string(session.id.name), .string(session.category.rawValue)))
      for stream in session.streams.values {
        messages.append(
          OSCMessage(
            "/session/\(session.id)/stream/create", .string(stream.id.name), .int32(Int32(stream.channels))))
      }
    }
    for match in tree.find(prefix: nil, in: state) where match.aspect == .value && match.parameter.isWritable
    {
      if let value = match.read(state, at: time) { messages.append(OSCMessage(match.address, value)) }
    }
    return messages
  }

  /// Sets again what differs and makes what is missing; what is refused is passed over.
  public mutating func restore(
    _ messages: [OSCMessage], _ state: inout RouterState, at time: Double
  ) -> Outcome {
    var outcome = Outcome()
    for message in messages {
      guard let match = try? tree.find(message.address, in: state), !exists(message, match, in: state),
        match.read(state, at: time) != message.arguments
      else { continue }
      let answers = receive(.message(message), from: Self.itself, &state, at: time)
      outcome.events += answers.events
      outcome.datagrams += answers.datagrams.filter { $0.peer != Self.itself }
    }
    return outcome
  }

  /// Whether a message would make a session or stream that is there already.
  private func exists(_ message: OSCMessage, _ match: Match, in state: RouterState) -> Bool {
    guard match.parameter.isCommand, let name = message.arguments.first?.text else { return false }
    guard let session = match.target.session else {
      return SessionID(name).map(state.sessions.contains) ?? false
    }
    return StreamID(name).flatMap { state.sessions[session]?.streams.contains($0) } ?? false
  }

  /// The router as its own client.
  private static let itself = PeerAddress(host: PeerAddress.loopbackHost, port: 0)
}
