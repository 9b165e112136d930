import JSON5
import Parameters
import SessionModel

/// The entry of a group.
struct GroupEntry: Sendable {
  var place: Place
  var leaves: [Leaf] = []
}

extension GroupEntry: Extensible {
  mutating func extend(by other: Self) {
    place = other.place
    leaves.extend(by: other.leaves)
  }
}

extension PresetObject {
  static let group = PresetObject(
    "group", at: "groups.<id>",
    "A group of sessions, streams, captures, outputs and players with a common gain and mute.",
    fields: [], owners: [.group])
}

extension DocumentReader {
  static func group(_ value: ValueReader, _ place: Place) -> GroupEntry {
    GroupEntry(place: place, leaves: value.leaves(of: .group))
  }
}

extension GroupEntry {
  /// Adds the steps that make the group and set it. They come before those of its members, so that nothing is heard that it mutes.
  func appendSteps(_ id: GroupID, to list: inout StepList) {
    let target = Target(group: id)
    if !list.state.groups.contains(id) { list.append(.group(id, .create), about: target, at: place) }
    list.append(leaves, of: .group, at: target)
  }
}

extension Succession {
  func reduced(_ group: GroupEntry, _ id: GroupID) -> GroupEntry {
    guard let before = old.groups[id] else { return group }
    var entry = group
    // A fresh state has no groups: what the successor does not name returns to that of a new group.
    var fresh = fresh
    fresh.groups[id] = SoundGroup(id)
    entry.leaves = Succession(old: old, new: new, fresh: fresh, manner: manner).leaves(
      group.leaves, after: before.leaves, of: .group, at: Target(group: id))
    return entry
  }

  /// Steps that remove the groups that only the predecessor names.
  func groupRemovals(from state: RouterState) -> [Step] {
    state.groups.keys.compactMap { id in
      guard !new.groups.contains(id), let place = old.groups[id]?.place ?? removalOfOthers else { return nil }
      return Step(.group(id, .remove), about: Target(group: id), at: place)
    }
  }
}

extension StateWriter {
  /// The member of groups; none without any.
  mutating func groups() -> [JSONValue.Member] {
    guard !state.groups.isEmpty else { return [] }
    let members = state.groups.keys.map { id in
      JSONValue.Member(id.name, .object(leaves(of: .group, at: Target(group: id))))
    }
    return [.init("groups", .object(members))]
  }
}

extension PresetCheck {
  /// Warns of members of groups that the document does not make. The router may find the port, or a surface make the session.
  mutating func checkGroups() {
    for (_, group) in document.groups {
      checkMaximum(group.leaves)
      guard let leaf = group.leaves["members"], case .texts(let texts) = leaf.value else { continue }
      for (text, place) in zip(texts, leaf.elements) {
        guard let pattern = GroupPattern(text), let hint = rehearsed.hint(forMissing: pattern) else {
          continue
        }
        report(
          place, "this preset makes no \(text), so it joins the group only when it comes",
          fix: hint, severity: .warning)
      }
    }
  }
}
