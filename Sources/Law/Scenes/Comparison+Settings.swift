import Numbers
import Parameters
import Presets
import SessionModel

extension Comparison {
  /// The settings of objects that stay.
  var settings: [Difference] {
    let staying = staying
    let (old, new) = states(of: staying)
    // The level of an input is that of all sessions that capture from it, changed or not.
    let decided =
      before.inputs == after.inputs ? staying : after.sessions.keys.filter(before.sessions.contains)
    return Self.parameters.flatMap { parameter -> [Difference] in
      let targets =
        parameter.isDecided
        ? decided.map { Target(session: $0) } : Self.targets(of: parameter, in: old, new)
      return targets.compactMap { difference(of: parameter, at: $0) }
    }
  }

  private static let parameters = Table.parameters.filter(\.isCompared)

  /// Both states, each with only those sessions, streams, ports, players and recorders whose settings may differ.
  private func states(of staying: [SessionID]) -> (old: RouterState, new: RouterState) {
    var (old, new) = (before, after)
    let ids = staying.filter { id in
      let differs = before.sessions.read(id) { former in
        after.sessions.contains(id) { !$0.differsOnlyInDecisions(from: former) }
      }
      return differs ?? false
    }
    (old.sessions, new.sessions) = (before.sessions.only(Set(ids)), after.sessions.only(Set(ids)))
    for id in ids {
      guard let former = old.sessions.read(id, \.streams), let present = new.sessions.read(id, \.streams)
      else {
        continue
      }
      let streams = Set(present.keys(changedSince: former))
      old.sessions.update(id) { $0.streams = former.only(streams) }
      new.sessions.update(id) { $0.streams = present.only(streams) }
    }
    for direction in [Direction.output, .input] where old[direction] == new[direction] {
      (old[direction], new[direction]) = (Registry(), Registry())
    }
    let players = Set(after.players.keys(changedSince: before.players))
    (old.players, new.players) = (before.players.only(players), after.players.only(players))
    let recorders = Set(after.recorders.keys(changedSince: before.recorders))
    (old.recorders, new.recorders) = (before.recorders.only(recorders), after.recorders.only(recorders))
    let groups = Set(after.groups.keys(changedSince: before.groups))
    (old.groups, new.groups) = (before.groups.only(groups), after.groups.only(groups))
    return (old, new)
  }

  /// The targets in either state, those of the new one first.
  private static func targets(
    of parameter: Parameter, in old: RouterState, _ new: RouterState
  ) -> [Target] {
    let (former, present) = (parameter.targets(in: old), parameter.targets(in: new))
    guard former != present else { return present }
    let known = Set(present)
    return present + former.filter { !known.contains($0) }
  }

  private func difference(of parameter: Parameter, at target: Target) -> Difference? {
    guard before.has(target), after.has(target) else { return nil }
    let (was, will) = (
      parameter.wantedValue(at: target, in: before), parameter.wantedValue(at: target, in: after)
    )
    guard was != will else { return nil }
    let (now, then) = (Self.text(was, parameter), Self.text(will, parameter))
    guard now != then else { return nil }
    return Difference(
      address: parameter.address(at: target), now: now, then: then,
      effect: loudness(parameter, target, was, will))
  }

  private static func text(_ value: Value?, _ parameter: Parameter) -> String {
    guard let value else { return absent }
    return parameter.isLevel ? value.level : value.text
  }

  /// How much louder or quieter a level makes a session that is heard before and after.
  private func loudness(_ parameter: Parameter, _ target: Target, _ was: Value?, _ will: Value?) -> String {
    guard parameter.isLevel, let id = target.session, target.other == nil, target.input == nil,
      case .number(let now)? = was, case .number(let then)? = will
    else { return "" }
    let heard = outputsInBoth(of: id)
    guard target.output.map(heard.contains) ?? !heard.isEmpty else { return "" }
    let step = Decibels.text(abs(then - now))
    return
      "\(target.stream.map { "\(id).\($0)" } ?? "\(id)") becomes \(then > now ? "louder" : "quieter") by \(step)"
  }
}

extension Parameter {
  /// Whether differences of the value are listed: settings, except those that are another view of one, and those of recalls.
  var isCompared: Bool {
    isSetting && parts.first != "preset" && !address.hasPrefix("/session/<s>/option/")
      && !["/session/<s>/options/mask", "/session/<s>/stream/<t>/route"].contains(address)
  }

  /// Whether the value follows from decisions of the law about its session, and not only from settings.
  var isDecided: Bool {
    placeholders == [.session] && [.activity, .whileActive].contains(restored)
  }
}

extension RouterState {
  /// Whether the object of an address exists.
  func has(_ target: Target) -> Bool {
    if let id = target.group { return groups.contains(id) }
    if let id = target.player { return players.contains(id) }
    if let id = target.recorder { return recorders.contains(id) }
    if let id = target.session {
      return sessions.contains(id) { session in target.stream.map(session.streams.contains) ?? true }
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
