import OSC
import Parameters
import SessionModel

/// Two states, one after the other, both as they read now.
struct Comparison {
  let before: Moment
  let after: Moment

  init(from before: RouterState, to after: RouterState, at time: Double) {
    (self.before, self.after) = (Moment(before, at: time), Moment(after, at: time))
  }
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
    // Where nobody follows anything, finding out what changed would be most of the work.
    if clients.hasSubscribers, before != after {
      let states = Comparison(from: before, to: after, at: time)
      markChanges(states)
      clients.flush(states.after, &outcome)
    }
    return outcome
  }

  /// Compares object by object, then leaf by leaf: what is equal as a whole is never looked into.
  private mutating func markChanges(_ states: Comparison) {
    let (before, after) = (states.before.state, states.after.state)
    // The text of a route follows the order of outputs.
    let isReordered = before.outputs.keys != after.outputs.keys
    let changed = isReordered ? after.sessions.keys : after.sessions.keys(changedSince: before.sessions)
    // Of a thousand sessions a tablet may show one.
    for id in changed where clients.mayWant(below: ["session", id.name]) {
      let isDuckAlone = !isReordered && states.hasOnlyDucked(id)
      for leaf in isDuckAlone ? ["/ducked", "/duck/now", "/why"] : [""] {
        compare(
          "/session/<s>\(leaf)", Target(session: id), "/session/\(id)\(leaf)", states,
          isNew: !before.sessions.contains(id))
      }
    }
    if !isReordered {
      let leaves = Surroundings(states.after).leaves(changedSince: Surroundings(states.before))
      for leaf in leaves { compareEverywhere(leaf, states) }
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
    for template in [
      "/ramp", "/fade", "/media", "/system", "/meter/rate", "/duck", "/interruption", "/silent",
    ] {
      compare(template, Target(), template, states)
    }
  }

  /// Compares one leaf of all sessions.
  private mutating func compareEverywhere(_ leaf: String, _ states: Comparison) {
    guard let node = tree.node("/session/<s>/\(leaf)") else { return }
    var changed: [Match] = []
    let parts = leaf.split(separator: "/").map(String.init)
    for id in states.after.state.sessions.keys
    where clients.mayWant(below: ["session", id.name] + parts) {
      node.forEachChange(in: states, "/session/\(id)/\(leaf)", Target(session: id), isNew: false) {
        changed.append($0)
      }
    }
    for match in changed { mark(match, states) }
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
    if match.aspect == .value { follow(match, states.after) }
  }

  /// Follows a value for as long as a fade or ramp moves it.
  mutating func follow(_ match: Match, _ moment: Moment) {
    moving[LeafKey(match)] = match.parameter.isMoving(moment, match.target) ? match : nil
  }

  /// Fades and ramps move values without anybody's doing; the last message of one is its end.
  mutating func followMoves(_ moment: Moment) {
    for match in moving.values {
      let touchers = touches.touchers(of: match)
      for leaf in tree.siblings(of: match) { clients.mark(leaf, except: touchers) }
      follow(match, moment)
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
      let old = branch.placeholder.names(in: states.before.state, at: target)
      let new = branch.placeholder.names(in: states.after.state, at: target)
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
  /// Whether nothing of a session has changed but how it is ducked, as an announcement does to hundreds at once.
  fileprivate func hasOnlyDucked(_ id: SessionID) -> Bool {
    guard var old = before.state.sessions[id], let new = after.state.sessions[id] else { return false }
    old.ducks = new.ducks
    return old == new
  }

  /// Whether nothing of a stream has changed, so that its many leaves need no look.
  fileprivate func isSameStream(_ target: Target) -> Bool {
    let (before, after) = (before.state, after.state)
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
  /// Whether a reader of this leaf would see a difference, now or while a fade or ramp runs.
  fileprivate func hasChanged(_ states: Comparison) -> Bool {
    let (before, after) = (states.before, states.after)
    if case .control(let moved) = parameter.binding,
      moved.own(before.state, target) == moved.own(after.state, target)
    {
      return false
    }
    return parameter.isMoving(after, target) || read(before) != read(after)
  }
}
