import JSON5
import Parameters
import SessionModel

extension StateWriter {
  /// The members of `kept`. Call this after `preset` and `noteKeyless`, which collect some of them.
  mutating func kept(_ head: KeptHead) -> [JSONValue.Member] {
    let connections = (head.taken?.connections ?? []).map { [$0.source, $0.sink] }.sorted {
      $0.lexicographicallyPrecedes($1)
    }
    var members: [JSONValue.Member] = [
      .init("preset", .string(head.preset)), .init("path", .string(head.path)),
      .init("hash", .string(head.hash)), .init("time", .string(head.time)),
      .init("modified", .bool(head.isModified)),
    ]
    if let start = head.start { members.append(.init("start", .string(start))) }
    if let taken = head.taken {
      members += [
        .init("server", .string(taken.server)),
        .init("taken", .array(connections.map { .array($0.map { .string($0) }) })),
      ]
    }
    return members + activity + [
      .init("placed", .array(placed)), .init("outputs", .object(otherPorts(.output))),
      .init("inputs", .object(otherPorts(.input))), .init("settings", .object(ownSettings)),
      .init("remembered", .array(remembered)),
    ]
  }

  /// Guards and maxima of ids that do not exist.
  private var remembered: [JSONValue] {
    state.remembered.sessions.flatMap { id, limits -> [JSONValue] in
      let session = JSONValue.Member("session", .string(id.name))
      let maximum = limits.maximum.map { JSONValue.object([session, .init("max", .number($0))]) }
      return (maximum.map { [$0] } ?? [])
        + limits.never.map { stream, outputs in
          .object([
            session, .init("stream", .string(stream.name)),
            .init("never", .array(outputs.map { .string($0.name) })),
          ])
        }
    }
  }

  /// The activity of sessions. A session that waits for an output is in none of the lists, so it stays
  /// inactive after a start. The next run does not know that the output once existed, and would play the
  /// session at another one.
  private var activity: [JSONValue.Member] {
    func ids(_ isWanted: (Session) -> Bool) -> JSONValue {
      let sessions = state.sessions.values.filter(isWanted).sorted {
        $0.activationNumber < $1.activationNumber
      }
      return .array(sessions.map { .string($0.id.name) })
    }
    let interruptions = state.interruptions.values.map { source in
      JSONValue.object([
        .init("source", .string(source.id.name)), .init("reason", .string(source.reason.name)),
        .init("on", .bool(source.isOn)), .init("ringing", .bool(source.isRinging)),
      ])
    }
    return [
      .init("active", ids(\.isBegun)),
      .init("interrupted", ids { $0.displacement != nil && !$0.waitsForOutput }),
      .init("waiting", ids(\.waitsForProgram)), .init("present", present),
      .init("interruptions", .array(interruptions)),
    ]
  }

  private var present: JSONValue {
    .array(state.sessions.keys(where: \.hasWhatStartsIt).map { .string($0.name) })
  }

  private var placed: [JSONValue] {
    let streams = state.sessions.values.flatMap { session in
      session.streams.values.filter(\.isPlacedByDefault).map { "\(session.id).\($0.id)" }
    }
    return streams.sorted().map { .string($0) }
  }

  // MARK: Settings without a preset key

  mutating func noteKeyless() {
    for parameter in Table.parameters where parameter.isSetting && parameter.key == nil {
      guard !parameter.isInOtherMembers, contains(parameter.scope), scope == nil || parameter.isOfObject
      else {
        continue
      }
      for target in parameter.targets(in: state) where isSet(parameter, at: target) {
        if let value = parameter.wantedValue(at: target, in: state) { note(parameter, value, at: target) }
      }
    }
  }

  /// Whether the value is the session's own. Some addresses read a value from other sessions or a default.
  private func isSet(_ parameter: Parameter, at target: Target) -> Bool {
    guard let session = target.session.flatMap({ state.sessions[$0] }) else { return true }
    switch parameter.address {
    case "/session/<s>/input/level":
      return session.route.input.flatMap { state.inputs[$0] }?.levelHolders.contains(session.id) ?? false
    // Only active sessions may prefer a number of channels.
    case "/session/<s>/channels/in/preferred":
      return session.isBegun && session.preferredHardware.inputChannels > 0
    case "/session/<s>/channels/out/preferred":
      return session.isBegun && session.preferredHardware.outputChannels > 0
    default: return true
    }
  }
}

extension Parameter {
  /// Whether other members contain the setting: configuration, activity, destinations and interruptions.
  fileprivate var isInOtherMembers: Bool {
    let parts = parts
    guard parts.first != "player", parts.first != "recorder", parts.first != "group" else { return true }
    guard parts.first == "session", parts.count > 2 else { return parts.contains("<source>") }
    return ["category", "mode", "options", "option", "active"].contains(parts[2])
      || address == "/session/<s>/stream/<t>/route"
  }
}

extension Session {
  /// Whether the session is inactive because its program is absent. The program may be present after a
  /// restart.
  fileprivate var waitsForProgram: Bool {
    !isActive && displacement == nil && !isConnected && (activation == .start || activation == .connected)
  }

  /// Whether the program or signal that would activate the session is present already.
  fileprivate var hasWhatStartsIt: Bool {
    switch activation {
    // An active session goes on after a restart, even if its program is no longer present.
    case .start, .connected: isConnected && !isActive
    case .signal: isSignalling
    case .manual: false
    }
  }

  /// Whether the session becomes active again after a start.
  fileprivate var isBegun: Bool { isActive && !waitsForOutput }

  fileprivate var waitsForOutput: Bool {
    if case .output? = displacement?.interrupter { return true }
    return awaitedOutput != nil
  }
}
