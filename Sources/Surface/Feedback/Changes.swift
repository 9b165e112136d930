import OSC
import Parameters
import SessionModel

/// Two states, one after the other.
struct Comparison {
  let before: RouterState
  let after: RouterState
  let time: Double
}

extension Surface {
  /// Tells subscribers what happened and what changed; events go before everything else.
  mutating func publish(
    _ notifications: [Notification], from before: RouterState, to after: RouterState, at time: Double
  ) -> Outcome {
    var outcome = Outcome()
    for notification in notifications {
      let message = events.append(notification)
      outcome.events.append(message)
      clients.send(message, &outcome)
    }
    if before != after {
      markChanges(Comparison(before: before, after: after, time: time))
      clients.flush(after, at: time, &outcome)
    }
    return outcome
  }

  /// Compares object by object, then leaf by leaf: what is equal as a whole is never looked into.
  private mutating func markChanges(_ states: Comparison) {
    let (before, after) = (states.before, states.after)
    // The text of a route follows the order of outputs.
    let isReordered = before.outputs.keys != after.outputs.keys
    let changed = isReordered ? after.sessions.keys : after.sessions.keys(changedSince: before.sessions)
    for id in changed {
      compare(
        "/session/<s>", Target(session: id), "/session/\(id)", states, isNew: !before.sessions.contains(id))
    }
    if !isReordered, Surroundings(before) != Surroundings(after) {
      for id in after.sessions.keys {
        for leaf in Surroundings.leaves {
          compare("/session/<s>/\(leaf)", Target(session: id), "/session/\(id)/\(leaf)", states)
        }
      }
    }
    for direction in [Direction.output, .input] {
      // What takes part in last-in may change for all ports at once.
      let ports = before[direction] == after[direction] ? [] : after[direction].keys
      for id in ports {
        let target = direction == .output ? Target(output: id) : Target(input: id)
        let template = direction == .output ? "/output/<o>" : "/input/<i>"
        compare(
          template, target, "/\(direction.rawValue)/\(id)", states, isNew: !before[direction].contains(id))
      }
    }
    for template in ["/ramp", "/fade", "/media", "/system", "/meter/rate"] {
      compare(template, Target(), template, states)
    }
  }

  private mutating func compare(
    _ template: String, _ target: Target, _ address: String, _ states: Comparison, isNew: Bool = false
  ) {
    guard let node = tree.node(template) else { return }
    var changed: [Match] = []
    node.forEachChange(in: states, address, target, isNew: isNew) { changed.append($0) }
    for match in changed { mark(match, states) }
  }

  private mutating func mark(_ match: Match, _ states: Comparison) {
    clients.mark(match, except: touches.touchers(of: match))
    guard match.aspect == .value, case .control(let moved) = match.parameter.binding else { return }
    let isFading = moved.control(states.after, match.target)?.isFading(at: states.time) ?? false
    fading[LeafKey(match)] = isFading ? match : nil
  }

  /// Fades move values without anybody's doing; the last message of a fade is its end.
  mutating func followFades(_ state: RouterState, at time: Double) {
    for (key, match) in fading {
      let touchers = touches.touchers(of: match)
      for leaf in tree.siblings(of: match) { clients.mark(leaf, except: touchers) }
      guard case .control(let moved) = match.parameter.binding,
        let control = moved.control(state, match.target), control.isFading(at: time)
      else {
        fading[key] = nil
        continue
      }
    }
  }
}

/// What of the world the read-only leaves of a session depend on, but the session itself does not hold.
private struct Surroundings: Equatable {
  let server: ServerState
  let isPanicking: Bool
  let outputs: [Output]

  /// The leaves that depend on it.
  static let leaves = ["why", "rate", "period"]

  struct Output: Equatable {
    let isMuted: Bool
    let isOff: Bool
  }

  init(_ state: RouterState) {
    (server, isPanicking) = (state.server, state.isPanicking)
    outputs = state.outputs.values.map {
      Output(isMuted: $0.isMuted, isOff: Decibels($0.gain.target).isOff)
    }
  }
}

extension AddressTree.Node {
  /// Calls `body` for each readable leaf here and below that reads otherwise than before, or is new.
  ///
  /// What is gone but still has a reading, such as a destination that is off now, is a change, too.
  fileprivate func forEachChange(
    in states: Comparison, _ address: String, _ target: Target, isNew: Bool, _ body: (Match) -> Void
  ) {
    if let leaf {
      let match = Match(address: address, leaf: leaf, target: target)
      if match.isReadable, isNew || match.hasChanged(states) { body(match) }
    }
    for name in order {
      children[name]!.forEachChange(in: states, "\(address)/\(name)", target, isNew: isNew, body)
    }
    for branch in placeholders {
      let old = branch.placeholder.names(in: states.before, at: target)
      let new = branch.placeholder.names(in: states.after, at: target)
      for name in old == new ? new : new + old.filter({ !new.contains($0) }) {
        guard let filled = branch.placeholder.fill(name, into: target) else { continue }
        let isNew = isNew || !old.contains(name)
        if !isNew, branch.placeholder == .stream, states.isSameStream(filled) { continue }
        branch.node.forEachChange(in: states, "\(address)/\(name)", filled, isNew: isNew, body)
      }
    }
  }
}

extension Comparison {
  /// Whether nothing of a stream has changed, so that its many leaves need no look.
  fileprivate func isSameStream(_ target: Target) -> Bool {
    guard let session = target.session, let stream = target.stream, before.outputs.keys == after.outputs.keys
    else { return false }
    return before.sessions[session]?.streams[stream] == after.sessions[session]?.streams[stream]
  }
}

extension AddressTree {
  /// A level's value, fader and label, which feed back together.
  func siblings(of match: Match) -> [Match] {
    guard match.parameter.isLevel else { return [match] }
    let value = match.parameter.parts.last!
    let parent = match.address.split(separator: "/").dropLast().joined(separator: "/")
    return [(String(value), Aspect.value), ("fader", .position), ("\(value)/text", .label)].map {
      Match(
        address: "/\(parent)/\($0)", leaf: Leaf(parameter: match.parameter, aspect: $1), target: match.target)
    }
  }
}

extension Match {
  /// Whether a reader of this leaf would see a difference, now or while a fade runs.
  fileprivate func hasChanged(_ states: Comparison) -> Bool {
    let (before, after, time) = (states.before, states.after, states.time)
    if case .control(let moved) = parameter.binding {
      let (old, new) = (moved.control(before, target), moved.control(after, target))
      guard old != new else { return false }
      if new?.isFading(at: time) == true { return true }
    }
    return read(before, at: time) != read(after, at: time)
  }
}
