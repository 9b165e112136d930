import OSC
import Parameters
import SessionModel

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
      markChanges(from: before, to: after, at: time)
      clients.flush(after, at: time, &outcome)
    }
    return outcome
  }

  /// Compares object by object, then leaf by leaf: what is equal as a whole is never looked into.
  private mutating func markChanges(from before: RouterState, to after: RouterState, at time: Double) {
    let worldChanged =
      before.outputs != after.outputs || before.inputs != after.inputs || before.server != after.server
      || before.isPanicking != after.isPanicking
    for session in after.sessions.values where worldChanged || before.sessions[session.id] != session {
      compare("/session/<s>", Target(session: session.id), "/session/\(session.id)", before, after, at: time)
    }
    for (direction, template) in [(Direction.output, "/output/<o>"), (.input, "/input/<i>")] {
      for port in after[direction].values where before[direction][port.id] != port {
        let target = direction == .output ? Target(output: port.id) : Target(input: port.id)
        compare(template, target, "/\(direction.rawValue)/\(port.id)", before, after, at: time)
      }
    }
    for template in ["/ramp", "/fade", "/media", "/system", "/meter/rate"] {
      compare(template, Target(), template, before, after, at: time)
    }
  }

  private mutating func compare(
    _ template: String, _ target: Target, _ address: String, _ before: RouterState, _ after: RouterState,
    at time: Double
  ) {
    guard let node = tree.node(template) else { return }
    var changed: [Match] = []
    tree.forEach(below: address, in: after, node: node, target: target) { match in
      guard match.aspect.isReadable else { return }
      if match.hasChanged(from: before, to: after, at: time) { changed.append(match) }
    }
    for match in changed { mark(match, after, at: time) }
  }

  private mutating func mark(_ match: Match, _ state: RouterState, at time: Double) {
    let key = LeafKey(match)
    clients.mark(match, except: touches[key]?.peer)
    guard match.aspect == .value, case .control(let moved) = match.parameter.binding else { return }
    let isFading = moved.control(state, match.target)?.isFading(at: time) ?? false
    fading[key] = isFading ? match : nil
  }

  /// Fades move values without anybody's doing; the last message of a fade is its end.
  mutating func followFades(_ state: RouterState, at time: Double) {
    for (key, match) in fading {
      for leaf in tree.siblings(of: match) { clients.mark(leaf, except: touches[key]?.peer) }
      guard case .control(let moved) = match.parameter.binding,
        let control = moved.control(state, match.target), control.isFading(at: time)
      else {
        fading[key] = nil
        continue
      }
    }
  }
}

extension AddressTree {
  /// A level's value, fader and label, which feed back together.
  func siblings(of match: Match) -> [Match] {
    guard match.parameter.isLevel else { return [match] }
    let parent = match.address.dropLast(match.address.split(separator: "/").last!.count)
    return [(match.address, Aspect.value), ("\(parent)fader", .position), ("\(match.address)/text", .label)]
      .map {
        Match(address: $0, leaf: Leaf(parameter: match.parameter, aspect: $1), target: match.target)
      }
  }
}

extension Match {
  /// Whether a reader of this leaf would see a difference, now or while a fade runs.
  func hasChanged(from before: RouterState, to after: RouterState, at time: Double) -> Bool {
    if case .control(let moved) = parameter.binding {
      let (old, new) = (moved.control(before, target), moved.control(after, target))
      guard old != new else { return false }
      if new?.isFading(at: time) == true { return true }
    }
    return read(before, at: time) != read(after, at: time)
  }
}
