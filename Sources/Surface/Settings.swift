public import OSC
import Parameters
public import SessionModel

extension Surface {
  /// Everything that has been set, as the messages that would set it again, in an order that the law accepts: sessions and streams,
  /// what each session is, its settings, and at last who is active or interrupted.
  ///
  /// All are put to rest before, for some settings are refused to active sessions, and after the settings, of which some start
  /// sessions; so nobody is heard who was not.
  public func settings(of state: RouterState, at time: Double) -> [OSCMessage] {
    let moment = Moment(state, at: time)
    let rest = state.sessions.values.filter { !$0.waitsForProgram }.map {
      OSCMessage("/session/\($0.id)/active", Self.rest)
    }
    var messages = rest
    for session in state.sessions.values { messages += Self.creation(of: session) }
    for match in tree.find(prefix: nil, in: state) where match.isKeptByItself {
      if let value = match.read(moment) { messages.append(OSCMessage(match.address, value)) }
    }
    return messages + rest + Self.activity(of: state) + hardware(of: state, moment)
      + Self.background(of: state)
  }

  /// The session, what it is, and its streams.
  private static func creation(of session: Session) -> [OSCMessage] {
    let configuration: [OSCArgument] = [
      .string(session.category.rawValue), .string(session.mode.rawValue),
      .string(session.requestedOptions.text),
    ]
    let streams = session.streams.values.map {
      OSCMessage(
        "/session/\(session.id)/stream/create", .string($0.id.name), .int32(Int32($0.channels)))
    }
    return [
      OSCMessage("/session/create", [.string(session.id.name)] + configuration),
      OSCMessage("/session/\(session.id)/set", configuration),
      OSCMessage("/session/\(session.id)/foreground", .int32(1)),
    ] + streams
  }

  /// Who was active, in the order in which it came to be: those who are interrupted now, what interrupts from outside, and those
  /// who are active, who so interrupt whom they had interrupted. Whoever waits for an output that has gone stays inactive: after a
  /// start nobody knows that it was there, and the session would be heard at another one.
  private static func activity(of state: RouterState) -> [OSCMessage] {
    func begin(_ isWanted: (Session) -> Bool) -> [OSCMessage] {
      state.sessions.values.filter(isWanted).sorted { $0.activationNumber < $1.activationNumber }
        .map { OSCMessage("/session/\($0.id)/active", .int32(1)) }
    }
    let interruptions = state.interruptions.values.flatMap { source in
      let name = OSCArgument.string(source.id.name)
      let on = OSCMessage("/interruption/begin", name, .string(source.reason.name))
      let rings = OSCMessage("/interruption/\(source.id)/ringing", .int32(1))
      return (source.isRinging ? [rings] : []) + (source.isOn ? [on] : [])
    }
    let interrupted = state.sessions.values.filter { $0.displacement != nil }
    return begin { $0.displacement != nil && !$0.waitsForOutput } + interruptions
      + begin { $0.isActive && !$0.waitsForOutput }
      + interrupted.map { OSCMessage("/session/\($0.id)/interrupted", .int32(1)) }
  }

  /// What only active sessions may wish for, and the levels of inputs by those who have set them.
  private func hardware(of state: RouterState, _ moment: Moment) -> [OSCMessage] {
    var addresses: [String] = []
    for port in state.inputs.values { addresses += port.levelHolders.map { "/session/\($0)/input/level" } }
    for session in state.sessions.values where session.isActive {
      if session.wishes.inputChannels > 0 { addresses.append("/session/\(session.id)/channels/in/preferred") }
      if session.wishes.outputChannels > 0 {
        addresses.append("/session/\(session.id)/channels/out/preferred")
      }
    }
    return addresses.compactMap { address in
      (try? tree.find(address, in: state))?.read(moment).map { OSCMessage(address, $0) }
    }
  }

  /// Who is in the background went there after it had become active, which there it perhaps could not.
  private static func background(of state: RouterState) -> [OSCMessage] {
    state.sessions.values.filter { !$0.isForeground }.map {
      OSCMessage("/session/\($0.id)/foreground", .int32(0))
    }
  }

  /// Sets again what differs and makes what is missing; what is refused is passed over.
  public mutating func restore(
    _ messages: [OSCMessage], _ state: inout RouterState, at time: Double
  ) -> Outcome {
    var outcome = Outcome()
    for message in messages {
      guard let match = try? tree.find(message.address, in: state), !exists(message, match, in: state),
        let change = change(for: message, match, in: Moment(state, at: time))
      else { continue }
      let answers = receive(.message(change), from: Self.itself, &state, at: time)
      outcome.events += answers.events
      outcome.datagrams += answers.datagrams.filter { $0.peer != Self.itself }
    }
    return outcome
  }

  /// What must be sent so that it is as a message says; nil where it is so already.
  private func change(for message: OSCMessage, _ match: Match, in moment: Moment) -> OSCMessage? {
    let session = match.target.session.flatMap { moment.state.sessions[$0] }
    if let session, message.arguments == Self.rest { return session.isAtRest ? nil : message }
    guard match.read(moment) != message.arguments else { return nil }
    if match.parameter.isWritable || match.parameter.isCommand { return message }
    // Who was interrupted, and would not be as things are now, stays silent.
    return session.map { OSCMessage("/session/\($0.id)/active", Self.rest) }
  }

  /// Inactive, without notifying others.
  private static let rest: [OSCArgument] = [.int32(0), .int32(0)]

  /// Whether a message would make a session or stream that is there already.
  private func exists(_ message: OSCMessage, _ match: Match, in state: RouterState) -> Bool {
    guard case .surface(let command) = match.parameter.binding, let name = message.arguments.first?.text
    else { return false }
    switch command {
    case .createSession: return SessionID(name).map(state.sessions.contains) ?? false
    case .createStream:
      let streams = match.target.session.flatMap { state.sessions[$0] }?.streams
      return StreamID(name).flatMap { streams?.contains($0) } ?? false
    default: return false
    }
  }

  /// The router as its own client.
  private static let itself = PeerAddress(host: PeerAddress.loopbackHost, port: 0)
}

extension Session {
  /// Whether it is inactive and waits for nobody.
  fileprivate var isAtRest: Bool { !isActive && displacement == nil && !mayReturn && refusal == nil }

  /// Whether it is inactive for want of its program, which may be there after a restart.
  fileprivate var waitsForProgram: Bool {
    !isActive && displacement == nil && !isConnected && (activation == .start || activation == .connected)
  }

  fileprivate var waitsForOutput: Bool {
    if case .output? = displacement?.interrupter { return true }
    return awaitedOutput != nil
  }
}

extension Match {
  /// Whether a setting is kept as its own message; the others go together, or in an order of their own.
  fileprivate var isKeptByItself: Bool {
    guard aspect == .value, parameter.isWritable, target.source == nil else { return false }
    return target.session == nil
      || !Self.keptTogether.contains(parameter.parts[2])
        && !Self.keptLast.contains(parameter.address)
  }

  /// What only active sessions may say.
  private static let keptLast: Set<String> = [
    "/session/<s>/channels/in/preferred", "/session/<s>/channels/out/preferred", "/session/<s>/input/level",
  ]

  /// What `/session/<s>/set` says at once, and what comes last.
  private static let keptTogether: Set<Substring> = [
    "category", "mode", "options", "option", "active", "foreground",
  ]
}
