import OSC
import Parameters
import SessionModel

extension Surface {
  /// Carries out a command that was accepted; returns its answers.
  mutating func act(
    _ command: Command, _ match: Match, _ arguments: Arguments, _ transaction: Transaction,
    _ state: RouterState, _ outcome: inout Outcome
  ) -> [OSCMessage] {
    switch command {
    case .ping: return [OSCMessage("/pong", arguments.sent)]
    case .hello: return hello(arguments, transaction)
    case .bye:
      touches.forget(transaction.peer)
      clients.leave(transaction.peer)
    case .subscribe:
      subscribe(arguments, transaction, state)
      clients.flush(Moment(state, at: transaction.time), &outcome)
    case .unsubscribe: unsubscribe(arguments, transaction)
    case .snapshot:
      clients.enter(transaction.peer, asGuest: true, at: transaction.time)
      snapshot((try? pattern(arguments)) ?? nil, to: nil, transaction, state)
      clients.flush(Moment(state, at: transaction.time), &outcome)
    case .sync:
      let message = OSCMessage("/synced", .int32(arguments.integer))
      outcome.syncs.append(Sync(peer: clients.answerAddress(of: transaction.peer), message: message))
    case .eventsSince: return events.since((try? arguments.number()) ?? 0)
    case .info: return [OSCMessage(match.address, information(state, at: transaction.time))]
    case .statistics:
      return [
        OSCMessage(
          match.address, statistics.flatMap { [.string($0.name), .int32(Int32(clamping: $0.count))] })
      ]
    case .listAddresses: return list(arguments, match, state)
    case .describe: return [describe(arguments, match, state)]
    case .listSessions: return sessions(match, state)
    case .listStreams: return streams(match, state)
    case .listOutputs: return ports(match, .output, state)
    case .listInputs: return ports(match, .input, state)
    case .resetClip: meters.resetClip(at: match)
    case .listInterruptions: return interruptions(match, state)
    case .createSession, .removeSession, .configureSession, .createStream, .removeStream, .alive,
      .beginInterruption, .endInterruption, .clearInterruptions, .align, .request, .get, .meter:
      break
    }
    return []
  }

  /// Alternating key and value.
  private func information(_ state: RouterState, at time: Double) -> [OSCArgument] {
    [
      .string("version"), .string(identity.version), .string("jack"), .string(state.server.clientName),
      .string("rate"), .int32(Int32(state.server.rate)), .string("period"),
      .int32(Int32(state.server.period)),
      .string("uptime"), .float(Float(time - identity.start)), .string("osc"), .string(identity.address),
    ]
  }

  // MARK: Lists

  /// One message per thing, with its index and how many there are; one with zeros if there is none.
  private func rows(_ match: Match, _ rows: [[OSCArgument]]) -> [OSCMessage] {
    guard !rows.isEmpty else { return [OSCMessage(match.address, .int32(0), .int32(0))] }
    let total = OSCArgument.int32(Int32(rows.count))
    return rows.enumerated().map { OSCMessage(match.address, [.int32(Int32($0)), total] + $1) }
  }

  private func sessions(_ match: Match, _ state: RouterState) -> [OSCMessage] {
    rows(
      match,
      state.sessions.values.map { session in
        [
          .string(session.id.name), .string(session.name), .string(session.category.rawValue),
          .string(session.mode.rawValue), .int32(session.isActive ? 1 : 0),
        ]
      })
  }

  private func streams(_ match: Match, _ state: RouterState) -> [OSCMessage] {
    let streams = match.target.session.flatMap { state.sessions[$0] }?.streams.values ?? []
    return rows(match, streams.map { [.string($0.id.name), .int32(Int32($0.channels))] })
  }

  private func interruptions(_ match: Match, _ state: RouterState) -> [OSCMessage] {
    rows(
      match,
      state.interruptions.values.map { [.string($0.id.name), .string($0.reason.name)] })
  }

  private func ports(_ match: Match, _ direction: Direction, _ state: RouterState) -> [OSCMessage] {
    rows(
      match,
      state[direction].values.map { port in
        [
          .string(port.id.name), .string(port.name), .string(port.type.rawValue),
          .int32(Int32(port.channels)),
          .int32(port.isAvailable ? 1 : 0),
        ]
      })
  }

  // MARK: Discovery

  /// The address and the names below it, in as many messages as receivers with few arguments ask for.
  private func list(_ arguments: Arguments, _ match: Match, _ state: RouterState) -> [OSCMessage] {
    let address = (try? arguments.text()) ?? "/"
    let names = (try? tree.children(of: address, in: state)) ?? []
    return stride(from: 0, to: max(1, names.count), by: Self.mostNames).map { first in
      let some = names[first..<min(names.count, first + Self.mostNames)]
      return OSCMessage(match.address, [.string(address)] + some.map(OSCArgument.string))
    }
  }

  private static let mostNames = 60

  /// Address, type tags, unit, access, kind, range or choices, meaning.
  private func describe(_ arguments: Arguments, _ match: Match, _ state: RouterState) -> OSCMessage {
    let address = (try? arguments.text()) ?? ""
    guard let found = try? tree.find(address, in: state) else {
      return OSCMessage(match.address, .string(address))
    }
    let description = found.parameter.description(of: found.aspect)
    return OSCMessage(match.address, [.string(address)] + description.map(OSCArgument.string))
  }
}
