import ControlInterface
import OSC
import Parameters
import Queues
import SessionModel

extension Surface {
  /// Performs an accepted command and returns its answers.
  mutating func act(
    _ command: Command, _ match: Match, _ arguments: Arguments, _ transaction: PacketTransaction,
    _ state: RouterState, _ statistics: () -> [Statistic], _ outcome: inout Outcome
  ) -> [OSCMessage] {
    defer {
      if SurfacePulses.isGreeting(command) {
        clients.noteGreeting(of: transaction.peer, at: transaction.time)
      }
    }
    switch command {
    case .ping: return [OSCMessage("/pong", arguments.sent)]
    case .hello:
      if let alive = alive(arguments, transaction) { outcome.datagrams.append(alive) }
      return hello(arguments, transaction)
    case .presentToken: return present(transaction)
    case .listTokens: return rows(match, tokenRows())
    case .withdrawToken:
      if let token = (try? arguments.text()).flatMap({ try? tokens.token($0) }) {
        endToken(token, "it was withdrawn", &outcome)
      }
    case .bye:
      leave(transaction.peer)
      tokens.forget(transaction.peer)
    case .subscribe:
      if let alive = alive(arguments, transaction) { outcome.datagrams.append(alive) }
      subscribe(arguments, transaction)
      sendDue(moment(state, at: transaction.time), &outcome)
    case .unsubscribe: unsubscribe(arguments, transaction)
    case .snapshot:
      clients.enter(transaction.peer, asGuest: true, transaction.reach, at: transaction.time)
      snapshot((try? pattern(arguments)) ?? nil, to: nil, transaction)
      sendDue(moment(state, at: transaction.time), &outcome)
    case .sync:
      let message = OSCMessage("/synced", .int32(arguments.integer))
      outcome.syncs.append(Sync(peer: clients.answerAddress(of: transaction.peer), message: message))
    case .client(let setting): return set(setting, arguments, match, transaction, &outcome)
    case .resync:
      resync(arguments, state, transaction.peer)
      sendDue(moment(state, at: transaction.time), &outcome)
    case .eventsSince: return events.since((try? arguments.number()) ?? 0)
    case .eventLines: return events.lines(match.address, since: (try? arguments.number()) ?? 0)
    case .info: return [OSCMessage(match.address, information(state, at: transaction.time))]
    case .statistics:
      return [
        OSCMessage(
          match.address, statistics().flatMap { [.string($0.name), .int32(Int32(clamping: $0.count))] })
      ]
    case .listAddresses: return list(arguments, match, state)
    case .describe: return [describe(arguments, match, state)]
    case .listSessions: return sessions(match, state)
    case .listStreams: return streams(match, state)
    case .listArrivals: return arrivals(match, state)
    case .listOutputs: return ports(match, .output, state)
    case .listInputs: return ports(match, .input, state)
    case .listPorts: return jackPorts(match, state)
    case .listUnmatched:
      return rows(
        match,
        state.unmatched.map {
          [.string($0.owner), .string($0.glob.text), .string($0.glob.nearest ?? "none")]
        })
    case .listDirect:
      return rows(
        match, state.directPrograms.map { [.string($0.client)] + $0.sinks.map { .string($0) } })
    case .listPlayers: return players(match, state)
    case .listRecorders: return recorders(match, state)
    case .listGroups: return groups(match, state)
    case .listHung:
      return rows(
        match,
        state.hungPrograms.map { [.string($0.client), .int32($0.isDisconnected ? 1 : 0)] })
    case .listHealth: return health(match, state, at: transaction.time)
    case .listPresets:
      return rows(
        match, state.presets.library.map { id, entry in [.string(id.name), .string(entry.title)] })
    case .resetClip: meters.resetClip(at: match)
    case .listInterruptions: return interruptions(match, state)
    case .forgetOutput, .forgetInput, .createSession, .removeSession, .configureSession, .processFile,
      .cancelProcess, .createStream,
      .removeStream, .alive,
      .beginInterruption, .endInterruption, .clearInterruptions, .align, .request, .get, .whatIf, .meter,
      .reload,
      .recover, .metrics, .listRouters, .listEffects, .makeToken, .drawCode,
      .recallPreset, .recallNamedPreset,
      .goToStandby, .nextPreset, .previousPreset, .abortRecall, .undoRecall, .previewPreset, .checkPreset,
      .storePreset, .updatePreset, .listVersions, .restorePreset, .deletePreset, .lockPreset, .act:
      break
    case .createGroup, .removeGroup, .createPlayer, .removePlayer, .loadPlayer, .addToQueue, .insertIntoQueue,
      .listQueue, .saveQueue,
      .remote, .findInLibrary, .scanLibrary, .listLibrary, .createRecorder, .removeRecorder, .listRecordings,
      .deleteRecording:
      break
    }
    return []
  }

  /// The router's values as alternating keys and values.
  private func information(_ state: RouterState, at time: Double) -> [OSCArgument] {
    [
      .string("version"), .string(identity.version), .string("jack"), .string(state.server.clientName),
      .string("rate"), .int32(Int32(state.server.rate)), .string("period"),
      .int32(Int32(state.server.period)),
      .string("uptime"), .float(Float(time - identity.start)), .string("osc"), .string(identity.address),
    ] + (identity.http.isEmpty ? [] : [.string("http"), .string(identity.http)])
      + (state.server.isFreewheeling ? [.string("freewheel"), .int32(1)] : [])
      + (state.waitingPreset.map { [.string("waits"), .string($0)] } ?? [])
  }

  // MARK: Lists

  /// One message per object, with its index and the number of objects; for no objects, one message with zeros.
  private func rows(_ match: Match, _ rows: [[OSCArgument]]) -> [OSCMessage] {
    Self.rows(match.address, rows)
  }

  /// One message per object, with its index and the number of objects; for no objects, one message with zeros.
  ///
  /// - Parameters:
  ///   - start: the index of the first row in the whole list.
  ///   - total: the length of the whole list; nil if these are all rows.
  static func rows(
    _ address: String, _ rows: [[OSCArgument]], from start: Int = 0, of total: Int? = nil
  ) -> [OSCMessage] {
    func number(_ number: Int) -> OSCArgument { .int32(Int32(clamping: number)) }
    let total = number(total ?? rows.count)
    guard !rows.isEmpty else { return [OSCMessage(address, number(start), total)] }
    return rows.enumerated().map { OSCMessage(address, [number(start + $0), total] + $1) }
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

  private func arrivals(_ match: Match, _ state: RouterState) -> [OSCMessage] {
    let session = match.target.session.flatMap { state.sessions[$0] }
    let arrivals = session.map { state.arrivals(of: $0, state.activity) } ?? []
    return rows(
      match,
      arrivals.map { [.string($0.stream.name), .string($0.output.name), .string($0.hindrance ?? "")] })
  }

  private func players(_ match: Match, _ state: RouterState) -> [OSCMessage] {
    rows(
      match,
      state.players.values.map { player in
        let item = player.queue.value.present
        return [
          .string(player.id.name), .string("\(player.session).\(player.stream)"),
          .string(player.state.rawValue), .string(item?.media ?? ""), .string(item?.title ?? ""),
        ]
      })
  }

  private func recorders(_ match: Match, _ state: RouterState) -> [OSCMessage] {
    rows(
      match,
      state.recorders.values.map {
        [.string($0.id.name), .string($0.source.text), .string($0.state.rawValue), .string($0.facts.file)]
      })
  }

  private func groups(_ match: Match, _ state: RouterState) -> [OSCMessage] {
    rows(
      match,
      state.groups.values.map { group in
        [
          .string(group.id.name), .string(group.name), .int32(Int32(state.members(of: group).count)),
          .int32(group.isMuted ? 1 : 0),
        ]
      })
  }

  private func health(_ match: Match, _ state: RouterState, at time: Double) -> [OSCMessage] {
    rows(
      match,
      state.health.alarms.map { rule, condition in
        [
          .string(rule.rawValue), .string(rule.severity.rawValue),
          .int32(Int32(clamping: Int(time - condition.start))), .string(condition.sentence),
        ]
      })
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

  private func jackPorts(_ match: Match, _ state: RouterState) -> [OSCMessage] {
    var owners: [String: (id: PortID, channel: Int)] = [:]
    for port in state.outputs.values + state.inputs.values {
      for case (let index, let name?) in port.members.enumerated() { owners[name] = (port.id, index + 1) }
    }
    return rows(
      match,
      state.jackPorts.map { port in
        let owner = owners[port.name]
        return [
          .string(port.name), .string(port.isInput ? Direction.output.rawValue : Direction.input.rawValue),
          .string(owner?.id.name ?? "none"), .int32(Int32(owner?.channel ?? 0)),
        ] + ProgramNames.Key.allCases.map { .string(port.program?[$0] ?? "") }
      })
  }

  // MARK: Discovery

  /// The address and the names below it, split into several messages because some receivers accept few arguments.
  private func list(_ arguments: Arguments, _ match: Match, _ state: RouterState) -> [OSCMessage] {
    let address = (try? arguments.text()) ?? "/"
    let names = (try? tree.children(of: address, in: state)) ?? []
    return stride(from: 0, to: max(1, names.count), by: Self.mostNames).map { first in
      let some = names[first..<min(names.count, first + Self.mostNames)]
      return OSCMessage(match.address, [.string(address)] + some.map(OSCArgument.string))
    }
  }

  private static let mostNames = 60

  /// Answers address, type tags, unit, access, kind, range or choices, and meaning.
  private func describe(_ arguments: Arguments, _ match: Match, _ state: RouterState) -> OSCMessage {
    let address = (try? arguments.text()) ?? ""
    guard let found = try? tree.find(address, in: state) else {
      return OSCMessage(match.address, .string(address))
    }
    let description = found.parameter.description(of: found.aspect)
    return OSCMessage(match.address, [.string(address)] + description.map(OSCArgument.string))
  }
}
