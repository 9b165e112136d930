import Parameters
import SessionModel

extension Surface {
  /// Compares the strips that have or had a target. Nobody pays for strips without a subscription to them.
  mutating func markStrips(_ states: Comparison) {
    let (before, after) = (states.before.state.strips, states.after.state.strips)
    guard !before.isUnused || !after.isUnused, clients.mayWant(below: ["strip"]) else { return }
    let isSame = before == after && states.haveSameSurroundings
    for number in Strips.numbers
    where before.target(of: number) != nil || after.target(of: number) != nil {
      if isSame, let target = after.target(of: number), states.isSame(target) { continue }
      compare("/strip/<strip>", Target(strip: number), "/strip/\(number)", states)
    }
    if before != after { compare("/strip/assign", Target(), "/strip/assign", states) }
  }

  /// The leaves of strips that stand for a value, with those beside them.
  func aliases(of match: Match, in state: RouterState) -> [Match] {
    guard let last = match.parameter.parts.last, !state.strips.isUnused else { return [] }
    let leaf = match.parameter.isPluginControl ? "gain" : last
    return state.strips.assigned.flatMap { number, target in
      guard target.isNear(match.target) else { return [Match]() }
      let found = try? tree.find("/strip/\(number)/\(leaf)", in: state)
      guard let alias = found, let original = try? alias.original(in: state),
        LeafKey(original) == LeafKey(match)
      else { return [Match]() }
      return tree.siblings(of: alias)
    }
  }
}

extension StripTarget {
  /// Whether the strip of this target may show a value of an object.
  fileprivate func isNear(_ object: Target) -> Bool {
    switch self {
    case .session(let id): object.session == id
    case .stream(let id, let stream): object.session == id && object.stream == stream
    case .send(let id, let stream, let output):
      object.session == id && object.stream == stream && object.output == output
    case .output(let id): object.output == id
    case .input(let id): object.input == id
    case .player(let id): object.player == id
    case .group(let id): object.group == id
    case .control(let effect, _): object.insert == effect.chain && object.effect == effect.number
    }
  }
}

extension Comparison {
  /// Whether all is the same that the state of a target may depend on beside the target itself.
  fileprivate var haveSameSurroundings: Bool {
    let (before, after) = (before.state, after.state)
    return before.outputs == after.outputs && before.activity == after.activity
      && before.server == after.server && before.isPanicking == after.isPanicking
      && before.isSilent == after.isSilent && before.monitoringEffects == after.monitoringEffects
      && before.monitoring == after.monitoring && before.groups == after.groups
      && before.isBypassingEffects == after.isBypassingEffects
  }

  /// Whether the object of a strip is unchanged.
  fileprivate func isSame(_ target: StripTarget) -> Bool {
    let (before, after) = (before.state, after.state)
    switch target {
    case .session(let id), .stream(let id, _), .send(let id, _, _):
      return before.sessions[id] == after.sessions[id]
    case .output, .input: return before.inputs == after.inputs && before.sessions == after.sessions
    case .player(let id):
      return before.players[id] == after.players[id] && before.sessions == after.sessions
    case .group: return before.players == after.players && before.sessions == after.sessions
    case .control(let effect, _):
      switch effect.chain {
      case .stream(let id, _), .capture(let id): return before.sessions[id] == after.sessions[id]
      case .output: return true
      case .input: return before.inputs == after.inputs
      }
    }
  }
}
