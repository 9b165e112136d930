public import ControlInterface
import OSC
import Parameters
import SessionModel

/// The states before and after a change, with reading functions for both.
struct Comparison {
  let before: Moment
  let after: Moment

  /// - Parameter touched: the fingers on faders, which change without the state.
  init(from before: RouterState, to after: RouterState, at time: Double, touched: [String]) {
    self.before = Moment(before, at: time, touched: touched)
    self.after = Moment(after, at: time, touched: touched)
  }
}

extension Surface {
  /// Sends events to subscribers, and then marks changed values for feedback.
  public mutating func publish(_ change: Change) -> Outcome {
    var outcome = Outcome()
    lapse(at: change.time)
    for event in change.events {
      events.append(EventRecord(event, at: change.stamp, by: change.author?.client))
      clients.send(OSCMessage(event), &outcome)
    }
    if change.before.strips != change.after.strips { meters.follow(change.after.strips) }
    if !change.after.groups.isEmpty || !change.before.groups.isEmpty { meters.followGroups(of: change.after) }
    if change.before.server.isRunning, !change.after.server.isRunning { fallSilent() }
    // Without a subscription, the comparison would be most of the work.
    if clients.hasSubscribers, change.before != change.after {
      let states = Comparison(
        from: change.before, to: change.after, at: change.time, touched: fingers)
      markChanges(states)
      clients.noteChangeOfLamps()
      sendDue(states.after, &outcome)
    }
    return outcome
  }

  /// Compares objects first, and the leaves only of objects that differ.
  private mutating func markChanges(_ states: Comparison) {
    if let (template, target, address) = states.soleLevel {
      if let leaf = tree.node(template)?.leaf {
        for match in tree.siblings(of: Match(address: address, leaf: leaf, target: target))
        where match.hasChanged(states) { mark(match, states) }
      }
      return markStrips(states)
    }
    let (before, after) = (states.before.state, states.after.state)
    // The text of a route depends on the order of outputs.
    let isReordered = before.outputs.keys != after.outputs.keys
    let changed = isReordered ? after.sessions.keys : after.sessions.keys(changedSince: before.sessions)
    // A tablet may show one session of a thousand; skip those without a subscription.
    for id in changed where clients.mayWant(below: ["session", id.name]) {
      let isDuckAlone = !isReordered && states.hasOnlyDucked(id)
      for leaf in isDuckAlone ? ["/ducked", "/duck/now", "/why", "/causes"] : [""] {
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
      // One change may decide for all ports which was plugged in last.
      let ports = before[direction] == after[direction] ? [] : after[direction].keys
      for id in ports {
        let target = direction == .output ? Target(output: id) : Target(input: id)
        let template = direction == .output ? "/output/<o>" : "/input/<i>"
        compare(
          template, target, "/\(direction.rawValue)/\(id)", states, isNew: !before[direction].contains(id))
      }
    }
    markMonitoring(states)
    for name in tree.root.order where tree.root.children[name]?.feedsBack == true && name != "strip" {
      compare("/\(name)", Target(), "/\(name)", states)
    }
    markStrips(states)
  }

  /// Compares one leaf in all sessions.
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

  /// Compares an address and everything below it.
  mutating func compare(
    _ template: String, _ target: Target, _ address: String, _ states: Comparison, isNew: Bool = false
  ) {
    guard let node = tree.node(template) else { return }
    var changed: [Match] = []
    node.forEachChange(in: states, address, target, isNew: isNew) { changed.append($0) }
    for match in changed { mark(match, states) }
  }

  private mutating func mark(_ match: Match, _ states: Comparison) {
    clients.mark(match)
    if match.aspect == .value { follow(match, states.after) }
  }

  /// Follows a value while a fade or ramp moves it.
  mutating func follow(_ match: Match, _ moment: Moment) {
    moving[LeafKey(match)] = match.parameter.isMoving(moment, match.target) ? match : nil
  }

  /// Marks the values that fades and ramps move. The last message is the end value.
  mutating func followMoves(_ moment: Moment) {
    for match in moving.values {
      for leaf in tree.siblings(of: match) { clients.mark(leaf) }
      follow(match, moment)
    }
  }
}

extension AddressTree.Node {
  /// Calls `body` for each readable leaf at or below an address whose reading has changed, or which is new.
  ///
  /// A leaf that was removed but still has a reading, such as a destination that is off now, counts as changed.
  fileprivate func forEachChange(
    in states: Comparison, _ address: String, _ target: Target, isNew: Bool, _ body: (Match) -> Void
  ) {
    let leaves = leafGroups
    for group in leaves.groups where isNew || group.parameter.hasChanged(at: target, states) {
      for (suffix, leaf) in group.leaves {
        let match = Match(address: address + suffix, leaf: leaf, target: target)
        if isNew || match.hasChanged(states) { body(match) }
      }
    }
    for (suffix, branch) in leaves.branches where !branch.isObject(at: target) {
      let old = branch.placeholder.names(in: states.before.state, at: target)
      let new = branch.placeholder.names(in: states.after.state, at: target)
      for name in old == new ? new : new + old.filter({ !new.contains($0) }) {
        guard let filled = branch.placeholder.fill(name, into: target) else { continue }
        let isNew = isNew || !old.contains(name)
        if !isNew, branch.placeholder == .stream, states.isSameStream(filled) { continue }
        if !isNew, states.isSameMedia(filled) { continue }
        branch.node.forEachChange(in: states, "\(address)\(suffix)/\(name)", filled, isNew: isNew, body)
      }
    }
  }
}

extension AddressTree.Branch {
  /// Whether `markChanges` compares the objects of this branch (sessions, outputs or inputs) one by one.
  fileprivate func isObject(at target: Target) -> Bool {
    target == Target() && [.session, .output, .input].contains(placeholder)
  }
}

extension Comparison {
  /// Whether only the ducking of a session has changed, as an announcement does to hundreds of sessions at once.
  fileprivate func hasOnlyDucked(_ id: SessionID) -> Bool {
    guard var old = before.state.sessions[id], let new = after.state.sessions[id] else { return false }
    old.ducks = new.ducks
    return old == new
  }

  /// Whether an address is that of a player or recorder that is unchanged.
  fileprivate func isSameMedia(_ target: Target) -> Bool {
    let (before, after) = (before.state, after.state)
    if let player = target.player { return before.players[player] == after.players[player] }
    if let recorder = target.recorder { return before.recorders[recorder] == after.recorders[recorder] }
    return false
  }

  /// Whether a stream is unchanged, so that its many leaves need no comparison.
  fileprivate func isSameStream(_ target: Target) -> Bool {
    let (before, after) = (before.state, after.state)
    guard let session = target.session, let stream = target.stream, before.outputs.keys == after.outputs.keys
    else { return false }
    return before.sessions[session]?.streams[stream] == after.sessions[session]?.streams[stream]
  }
}

extension AddressTree {
  /// The leaves that show one value, such as a level's value, fader and label. They feed back together.
  func siblings(of match: Match) -> [Match] {
    guard match.parameter.isLevel, let value = match.parameter.parts.last else {
      let depth = match.aspect == .value ? 0 : 1
      let base = match.address.split(separator: "/").dropLast(depth).joined(separator: "/")
      let below = match.parameter.subLeaves.filter(\.aspect.isReadable)
      return ([([], .value)] + below).map { suffix, aspect in
        Match(
          address: "/" + ([base] + suffix).joined(separator: "/"),
          leaf: Leaf(parameter: match.parameter, aspect: aspect), target: match.target)
      }
    }
    let slash = match.address.utf8.lastIndex(of: UInt8(ascii: "/")) ?? match.address.startIndex
    let parent = match.address[..<slash]
    return [(String(value), Aspect.value), ("fader", .position), ("\(value)/text", .label)].map {
      Match(
        address: "\(parent)/\($0)", leaf: Leaf(parameter: match.parameter, aspect: $1), target: match.target)
    }
  }
}

extension Parameter {
  /// Whether the value differs, now or during a fade or ramp.
  fileprivate func hasChanged(at target: Target, _ states: Comparison) -> Bool {
    let (before, after) = (states.before, states.after)
    if case .control(let moved) = binding, moved.own(before.state, target) == moved.own(after.state, target) {
      return false
    }
    if isMoving(after, target) || read(before, target) != read(after, target) { return true }
    // A strip may have another control with the same value, at another place of the fader.
    return isAlias && plugin(before.state, target) != plugin(after.state, target)
  }
}

extension Match {
  /// Whether the reading of this leaf of a changed parameter differs: a lamp may stay as it is while its choice changes.
  fileprivate func hasChanged(_ states: Comparison) -> Bool {
    parameter.isMoving(states.after, target) || read(states.before) != read(states.after)
  }
}
