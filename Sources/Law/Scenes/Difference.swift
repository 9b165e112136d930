import Numbers
import Parameters
public import Presets
public import SessionModel

/// One thing that a recall or a command would change.
public struct Difference: Equatable, Sendable {
  /// The address of the leaf, or of the session, stream or port that comes or goes.
  public let address: String
  /// The present value and the coming one as texts; `none` for an object that does not exist.
  public let now: String
  public let then: String
  /// What a person would hear, as a sentence; empty if nothing.
  public let effect: String
}

extension Difference {
  /// All that differs between two states, in the order of importance to a listener.
  ///
  /// The list is complete: it has every setting, every object that comes or goes, and every session that is heard otherwise.
  /// - Parameter time: router time in seconds.
  public static func list(from before: RouterState, to after: RouterState, at time: Double) -> [Difference] {
    Comparison(from: before, to: after, at: time).differences
  }
}

extension Recall {
  /// What a recall now would change, in the order of importance to a listener. Nothing changes.
  ///
  /// The list is complete: it has every setting, every object that comes or goes, and every session that is heard otherwise.
  /// - Throws: `RecallRefusal` if the law refuses the recall.
  public func differences(
    of state: RouterState, at time: Double, law: PresetReader.Policy
  ) throws(RecallRefusal) -> [Difference] {
    var recall = self
    recall.fade = 0
    let outcome = try recall.outcome(of: state, at: time, law: law)
    let end = Ending.conclude(outcome.endings, on: outcome.state, at: time, law: law)
    return Comparison(from: state, to: end.state, at: time, waiting: outcome.waiting).differences
  }
}

/// The differences between two states.
struct Comparison {
  let before: RouterState
  let after: RouterState
  /// Router time in seconds.
  let time: Double
  /// The sessions whose activation the law refuses at present.
  private let waiting: [SessionID]
  /// The sessions that are interrupted anew, by the names of their interrupters.
  private let interrupted: [String: [SessionID]]

  init(from before: RouterState, to after: RouterState, at time: Double, waiting: [SessionID] = []) {
    (self.before, self.after, self.time, self.waiting) = (before, after, time, waiting)
    var interrupted: [String: [SessionID]] = [:]
    for (id, session) in after.sessions {
      guard let name = session.displacement?.interrupter.name,
        before.sessions[id]?.displacement?.interrupter.name != name
      else { continue }
      interrupted[name, default: []].append(id)
    }
    self.interrupted = interrupted
  }

  /// All differences, those that are heard first.
  var differences: [Difference] {
    let all = sounds + objects + transports + settings
    return all.enumerated().sorted { left, right in
      (left.element.rank, left.offset) < (right.element.rank, right.offset)
    }.map(\.element)
  }

  // MARK: Sound

  /// The sessions that are heard otherwise, or for other reasons.
  private var sounds: [Difference] {
    let ids = after.sessions.keys + before.sessions.keys.filter { !after.sessions.contains($0) }
    return ids.compactMap { id in
      let (now, then) = (sentence(id, in: before), sentence(id, in: after))
      let effect = effect(id)
      guard now != then || !effect.isEmpty else { return nil }
      return Difference(address: "/session/\(id)/why", now: now, then: then, effect: effect)
    }
  }

  private func sentence(_ id: SessionID, in state: RouterState) -> String {
    state.sessions[id].map { state.why($0, state.activity) } ?? Self.absent
  }

  private func effect(_ id: SessionID) -> String {
    let effects = [hearing(id), refusal(id), interrupting(id)].compactMap(\.self)
    return effects.joined(separator: "; ")
  }

  /// How a session is heard otherwise.
  private func hearing(_ id: SessionID) -> String? {
    let (was, will) = (outputs(id, in: before), outputs(id, in: after))
    let (came, went) = (will.filter { !was.contains($0) }, was.filter { !will.contains($0) })
    if let cause = interrupter(id, in: after), interrupter(id, in: before) != cause {
      return "is interrupted by \(cause)"
    }
    if was.isEmpty, !will.isEmpty { return "becomes audible at \(Self.list(will))" }
    if !was.isEmpty, will.isEmpty { return absence(id) ?? "falls silent" }
    if !came.isEmpty, !went.isEmpty { return "moves from \(Self.list(went)) to \(Self.list(came))" }
    if !came.isEmpty { return "becomes audible at \(Self.list(came)), too" }
    if !went.isEmpty { return "falls silent at \(Self.list(went))" }
    let (ducked, willBeDucked) = (ducker(id, in: before), ducker(id, in: after))
    if ducked == willBeDucked { return will.isEmpty ? absence(id) : nil }
    return willBeDucked.map { "is ducked by \($0)" } ?? "is no longer ducked"
  }

  /// That a session waits for a device; nil if it does not, or did so before.
  private func absence(_ id: SessionID) -> String? {
    let (was, will) = (awaited(id, in: before), awaited(id, in: after))
    return will.isEmpty || will == was ? nil : "waits for \(Self.list(will)), which is absent"
  }

  private func refusal(_ id: SessionID) -> String? {
    guard waiting.contains(id) else { return nil }
    let reason = after.sessions[id]?.refusal.map { " because of \($0.name)" } ?? ""
    return "is refused at present\(reason), and waits"
  }

  /// The sessions that a session interrupts.
  private func interrupting(_ id: SessionID) -> String? {
    let others = interrupted[id.name] ?? []
    return others.isEmpty ? nil : "interrupts \(others.map(\.name).joined(separator: ", "))"
  }

  private func outputs(_ id: SessionID, in state: RouterState) -> [PortID] {
    guard let session = state.sessions[id] else { return [] }
    return switch state.verdict(of: session, state.activity) {
    case .heard(let ports), .ducked(let ports, _): ports
    case .interrupted, .silent: []
    }
  }

  private func interrupter(_ id: SessionID, in state: RouterState) -> String? {
    state.sessions[id]?.displacement?.interrupter.name
  }

  private func ducker(_ id: SessionID, in state: RouterState) -> SessionID? {
    guard let session = state.sessions[id],
      case .ducked(_, let ducker) = state.verdict(of: session, state.activity)
    else { return nil }
    return ducker
  }

  /// The outputs that an active session is to reach and that are absent.
  private func awaited(_ id: SessionID, in state: RouterState) -> [PortID] {
    guard let session = state.sessions[id], session.isActive else { return [] }
    if let port = session.awaitedOutput { return [port] }
    guard session.category == .multiRoute else { return [] }
    let wanted = session.streams.values.flatMap { $0.destinations.filter { $0.value.isOn }.map(\.key) }
    return state.outputs.keys.filter { wanted.contains($0) && state.outputs[$0]?.isAvailable == false }
  }

  private static func list(_ ports: [PortID]) -> String { ports.map(\.name).joined(separator: ", ") }

  // MARK: Objects and settings

  /// The sessions, streams and ports that come or go.
  private var objects: [Difference] {
    var found = differences(of: before.sessions, after.sessions, "/session") { $0.category.rawValue }
    for (id, session) in after.sessions {
      guard let old = before.sessions[id] else { continue }
      found += differences(of: old.streams, session.streams, "/session/\(id)/stream") {
        $0.channels.channelsText
      }
    }
    found += differences(of: before.players, after.players, "/player") { "\($0.session).\($0.stream)" }
    found += differences(of: before.recorders, after.recorders, "/recorder") { $0.source.text }
    for direction in [Direction.output, .input] {
      found += differences(of: before[direction], after[direction], "/\(direction.rawValue)") {
        $0.isNamedByPreset ? $0.type.rawValue : "found"
      }
    }
    return found
  }

  private func differences<ID, Object>(
    of old: Registry<Identifier<ID>, Object>, _ new: Registry<Identifier<ID>, Object>, _ path: String,
    _ text: (Object) -> String
  ) -> [Difference] {
    let ids = new.keys + old.keys.filter { !new.contains($0) }
    return ids.compactMap { id in
      let (now, then) = (old[id].map(text) ?? Self.absent, new[id].map(text) ?? Self.absent)
      return now == then ? nil : Difference(address: "\(path)/\(id)", now: now, then: then, effect: "")
    }
  }

  /// The settings of objects that stay.
  private var settings: [Difference] {
    let changed = Set(after.sessions.keys(changedSince: before.sessions))
    return Table.parameters.filter(\.isCompared).flatMap { parameter -> [Difference] in
      var targets = parameter.targets(in: after)
      let old = parameter.targets(in: before)
      if old != targets {
        let known = Set(targets)
        targets += old.filter { !known.contains($0) }
      }
      return targets.compactMap { target in
        if let session = target.session, !changed.contains(session) { return nil }
        guard before.has(target), after.has(target) else { return nil }
        let (now, then) = (text(of: parameter, target, before), text(of: parameter, target, after))
        guard now != then else { return nil }
        return Difference(
          address: parameter.address(at: target), now: now, then: then,
          effect: loudness(parameter, target))
      }
    }
  }

  private func text(of parameter: Parameter, _ target: Target, _ state: RouterState) -> String {
    guard let value = parameter.wantedValue(at: target, in: state) else { return Self.absent }
    return parameter.isLevel ? value.level : value.text
  }

  /// How much louder or quieter a level makes a session that is heard before and after.
  private func loudness(_ parameter: Parameter, _ target: Target) -> String {
    guard parameter.isLevel, let id = target.session, target.other == nil, target.input == nil,
      case .number(let now)? = parameter.wantedValue(at: target, in: before),
      case .number(let then)? = parameter.wantedValue(at: target, in: after)
    else { return "" }
    let heard = outputs(id, in: before).filter(outputs(id, in: after).contains)
    guard target.output.map(heard.contains) ?? !heard.isEmpty else { return "" }
    let step = Decibels.text(abs(then - now))
    return
      "\(target.stream.map { "\(id).\($0)" } ?? "\(id)") becomes \(then > now ? "louder" : "quieter") by \(step)"
  }

  static let absent = "none"
}

extension Difference {
  /// The lower, the more important to a listener.
  fileprivate var rank: Int {
    if address.hasSuffix("/why") { return effect.isEmpty ? 4 : 0 }
    if !effect.isEmpty { return 1 }
    let leaf = address.split(separator: "/").last ?? ""
    return ["active", "mute", "on", "gain", "pan"].contains(leaf) ? 2 : 3
  }
}

extension Parameter {
  /// Whether differences of the value are listed: settings, except those that are another view of one, and those of recalls.
  var isCompared: Bool {
    isWritable && parts.first != "preset" && !address.hasPrefix("/session/<s>/option/")
      && !["/session/<s>/options/mask", "/session/<s>/stream/<t>/route"].contains(address)
  }
}

extension RouterState {
  /// Whether the object of an address exists.
  func has(_ target: Target) -> Bool {
    if let id = target.player { return players.contains(id) }
    if let id = target.recorder { return recorders.contains(id) }
    if let id = target.session {
      guard let session = sessions[id] else { return false }
      return target.stream.map(session.streams.contains) ?? true
    }
    return target.output.map(outputs.contains) ?? target.input.map(inputs.contains) ?? true
  }
}

extension Value {
  fileprivate var text: String {
    switch self {
    case .number(let number): number.text(.upTo(3))
    case .integer(let number): "\(number)"
    case .flag(let isOn): isOn ? "1" : "0"
    case .text(let text): text
    case .texts(let texts): texts.isEmpty ? "none" : texts.joined(separator: ", ")
    case .numbers(let numbers): numbers.map { Double($0).text(.upTo(3)) }.joined(separator: ", ")
    }
  }

  fileprivate var level: String {
    if case .number(let level) = self, level <= Decibels.floor { return "off" }
    return text
  }
}
