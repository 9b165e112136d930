import SessionModel

/// The differences between two states. Only objects that have changed are compared, and a registry knows them without comparing the others.
struct Comparison {
  let before: RouterState
  let after: RouterState
  /// Router time in seconds.
  let time: Double
  /// The sessions whose activation the law refuses at present.
  let waiting: [SessionID]
  /// The sessions that are new or different, in the order of the state after.
  let changed: [SessionID]
  /// The sessions that go.
  let removed: [SessionID]

  init(from before: RouterState, to after: RouterState, at time: Double, waiting: [SessionID] = []) {
    (self.before, self.after, self.time, self.waiting) = (before, after, time, waiting)
    changed = after.sessions.keys(changedSince: before.sessions)
    removed = before.sessions.keys(missingIn: after.sessions)
  }

  /// All differences, those that are heard first.
  var differences: [Difference] {
    var ranked = Array(repeating: [Difference](), count: 5)
    for difference in sounds + objects + transports + settings {
      ranked[difference.rank].append(difference)
    }
    return ranked.flatMap(\.self)
  }

  /// The changed sessions that both states have.
  var staying: [SessionID] { changed.filter(before.sessions.contains) }

  // MARK: Objects

  /// The sessions, streams and ports that come or go.
  private var objects: [Difference] {
    var found = differences(of: before.sessions, after.sessions, "/session") { $0.category.rawValue }
    for id in staying {
      guard let old = before.sessions.read(id, \.streams), let new = after.sessions.read(id, \.streams) else {
        continue
      }
      found += differences(of: old, new, "/session/\(id)/stream") { $0.channels.channelsText }
    }
    found += differences(of: before.players, after.players, "/player") { "\($0.session).\($0.stream)" }
    found += differences(of: before.recorders, after.recorders, "/recorder") { $0.source.text }
    found += differences(of: before.groups, after.groups, "/group") { _ in "a group" }
    for direction in [Direction.output, .input] {
      found += differences(of: before[direction], after[direction], "/\(direction.rawValue)") {
        $0.isNamedByPreset ? $0.type.rawValue : "found"
      }
    }
    return found
  }

  private func differences<ID, Object: Equatable>(
    of old: Registry<Identifier<ID>, Object>, _ new: Registry<Identifier<ID>, Object>,
    _ path: @autoclosure () -> String, _ text: (Object) -> String
  ) -> [Difference] {
    let ids = new.keys(changedSince: old) + old.keys(missingIn: new)
    return ids.compactMap { id in
      let (now, then) = (old.read(id, text) ?? Self.absent, new.read(id, text) ?? Self.absent)
      return now == then ? nil : Difference(address: "\(path())/\(id)", now: now, then: then, effect: "")
    }
  }

  /// The text of an object or value that does not exist.
  static let absent = "none"
}
