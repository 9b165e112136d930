import Parameters
import Presets
import SessionModel

/// Leaves out the steps of a recall that its scope or a safe forbids.
struct StepFilter {
  private let scope: Set<Scope>
  private let isScopeWhole: Bool
  private let isSafe: (@Sendable (String) -> Bool)?
  /// The stream or session of the last step, unless that step has made or removed it. Most steps are about the same one.
  private var last: (session: SessionID, stream: StreamID?, standing: Standing)?

  /// Whether the object of a step exists, and whether another step made it.
  private struct Standing {
    let exists: Bool
    let isNew: Bool
  }

  init(scope: Set<Scope>, isSafe: (@Sendable (String) -> Bool)?) {
    (self.scope, self.isSafe) = (scope, isSafe)
    isScopeWhole = scope.count == Scope.allCases.count
  }

  /// The answer about a step of the same stream or session as the last one, if it needs no look at a state; nil otherwise. To hand over the state
  /// for each of thousands of steps takes as long as to carry them out.
  func allowsLikeLast(_ step: Step) -> Bool? {
    guard isScopeWhole, isSafe == nil, step.joinsRows, let last, last.session == step.target.session,
      last.stream == step.target.stream
    else { return nil }
    return last.standing.exists
  }

  /// - Parameters:
  ///   - state: the state before the step.
  ///   - former: the state before the recall. Sessions and streams that it did not have take all of their settings.
  mutating func allows(_ step: Step, in state: RouterState, since former: RouterState) -> Bool {
    let standing = standing(of: step, in: state, since: former)
    guard standing.exists else { return false }
    guard !standing.isNew, !isScopeWhole || isSafe != nil else { return true }
    // The settings that a stream keeps although it is made anew.
    if step.setting == nil, case .success(.stream(_, _, let kept)) = step.outcome, !kept.isRoute {
      return true
    }
    guard scope.contains(step.scope), isWithinMode(step, in: state) else { return false }
    guard let isSafe else { return true }
    return !step.addresses(in: state).contains(where: isSafe)
  }

  /// Whether a step switches on nothing that the mode of its session lacks because the recall leaves out the change of the mode.
  private func isWithinMode(_ step: Step, in state: RouterState) -> Bool {
    guard case .success(.session(let id, .voice(let part, true))) = step.outcome,
      let session = state.sessions[id], !session.processesVoice
    else { return true }
    let setsMode = part == .echo && session.category == .playAndRecord && session.mode == .default
    return setsMode && scope.contains(.category) && isSafe?("/session/\(id)/mode") != true
  }

  private mutating func standing(
    of step: Step, in state: RouterState, since former: RouterState
  ) -> Standing {
    guard step.joinsRows, let session = step.target.session else {
      last = nil
      return Standing(exists: step.exists(in: state), isNew: step.isAboutNewObject(since: former))
    }
    let stream = step.target.stream
    if let last, last.session == session, last.stream == stream { return last.standing }
    let standing = Standing(
      exists: step.exists(in: state), isNew: step.isAboutNewObject(since: former))
    last = (session, stream, standing)
    return standing
  }
}

extension Step {
  private var event: Event? { try? outcome.get() }

  /// Whether the object that the step changes exists. The step that would have made it may be out of the scope.
  fileprivate func exists(in state: RouterState) -> Bool {
    switch event {
    case .createSession: return true
    case .createStream(let session, let id, _, _):
      return state.sessions.contains(session) { !$0.streams.contains(id) }
    default: break
    }
    switch event {
    case .player(_, .create(let session, let stream, _)):
      return target.player.map { !state.players.contains($0) } ?? false
        && state.sessions.contains(session) { $0.streams.contains(stream) }
    case .recorder(_, .create(let source)):
      return target.recorder.map { !state.recorders.contains($0) } ?? false && state.has(source)
    case .group(let id, .create): return !state.groups.contains(id)
    default: break
    }
    if let id = target.group { return state.groups.contains(id) }
    if let id = target.player { return state.players.contains(id) }
    if let id = target.recorder { return state.recorders.contains(id) }
    guard let id = target.session else { return true }
    return state.sessions.contains(id) { session in target.stream.map(session.streams.contains) ?? true }
  }

  /// Whether the step is a setting of a session or stream that another step makes.
  fileprivate func isAboutNewObject(since former: RouterState) -> Bool {
    switch event {
    case .createSession, .createStream: return false
    default: break
    }
    if event?.isCreation == true { return false }
    if let id = target.group { return !former.groups.contains(id) }
    if let id = target.player { return !former.players.contains(id) }
    if let id = target.recorder { return !former.recorders.contains(id) }
    guard let id = target.session else { return false }
    return !former.sessions.contains(id) { session in target.stream.map(session.streams.contains) ?? true }
  }

  /// The part of the settings that the step belongs to.
  fileprivate var scope: Scope {
    if let scope = setting?.parameter.scope { return scope }
    return switch event {
    case .createSession, .removeSession, .configure: .category
    case .activate, .deactivate: .active
    case .captureSession(_, _, .gain), .captureInput(_, _, .gain): .gain
    case .player, .recorder: .player
    default: .route
    }
  }

  /// The addresses of all leaves that the step may change.
  fileprivate func addresses(in state: RouterState) -> [String] {
    if let parameter = setting?.parameter { return parameter.names(at: target) }
    let path = Self.path(target)
    switch event {
    case .player(_, .queue): return ["\(path)/file", "\(path)/queue"]
    case .player(_, .order(let order)): return ["\(path)/\(order.leaf)"]
    case .recorder(_, .order): return ["\(path)/recording"]
    case .removeSession, .removeStream, .player(_, .remove), .recorder(_, .remove), .group(_, .remove):
      return Table.parameters.filter(\.isWritable).flatMap { parameter in
        parameter.targets(in: state).filter { isPart($0) }.flatMap(parameter.names)
      }
    case .configure: return ["category", "mode", "options"].map { "\(path)/\($0)" }
    case .activate, .deactivate: return ["\(path)/active"]
    case .stream(let session, let id, .route(let route, _)):
      let kept = Set(route.entries.map(\.port))
      let dropped =
        state.sessions[session]?.streams[id]?.destinations.keys.filter { !kept.contains($0) } ?? []
      return ["\(path)/route"] + dropped.flatMap { ["\(path)/to/\($0)/on", "\(path)/to/\($0)/gain"] }
    case .destination(_, _, _, .channels): return ["\(path)/map"]
    case .session(_, .captureChannels): return ["\(path)/capture/channels"]
    case .session(_, .captureDestinations): return ["\(path)/capture/to"]
    case .session(_, .captureSole): return ["\(path)/capture/sole"]
    case .session(_, .captureRoute): return ["\(path)/capture/route"]
    case .captureSession(_, let other, let setting):
      return ["\(path)/capture/session/\(other)/\(setting.leaf)"]
    case .captureInput(_, let input, let setting): return ["\(path)/capture/input/\(input)/\(setting.leaf)"]
    default: return [path]
    }
  }

  /// Whether an object is the one that the step removes, or a part of it.
  private func isPart(_ other: Target) -> Bool {
    other.player == target.player && other.recorder == target.recorder && other.group == target.group
      && other.session == target.session && (target.stream == nil || other.stream == target.stream)
  }

  private static func path(_ target: Target) -> String {
    let parts: [(String, String?)] = [
      ("player", target.player?.name), ("recorder", target.recorder?.name),
      ("group", target.group?.name), ("session", target.session?.name),
      ("stream", target.stream?.name),
      (target.stream == nil ? "output" : "to", target.output?.name), ("input", target.input?.name),
    ]
    return parts.compactMap { word, name in name.map { "/\(word)/\($0)" } }.joined()
  }
}

extension Event {
  /// Whether the event makes a player, a recorder or a group.
  fileprivate var isCreation: Bool {
    switch self {
    case .player(_, .create), .recorder(_, .create), .group(_, .create): true
    default: false
    }
  }
}

extension PlayerOrder {
  /// The leaf that shows what the order changes.
  fileprivate var leaf: String {
    switch self {
    case .go, .next, .previous: "queue/index"
    case .seek, .seekPart, .beginning: "position"
    default: "playing"
    }
  }
}

extension StreamSetting {
  fileprivate var isRoute: Bool { if case .route = self { true } else { false } }
}

extension CaptureSetting {
  fileprivate var leaf: String {
    switch self {
    case .on: "on"
    case .gain: "gain"
    }
  }
}

extension Parameter {
  /// The address of the value, and for a level that of its fader.
  fileprivate func names(at target: Target) -> [String] {
    let address = address(at: target)
    guard isLevel, let slash = address.lastIndex(of: "/") else { return [address] }
    return [address, "\(address[..<slash])/fader"]
  }
}
