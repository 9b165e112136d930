import SessionModel

/// The members of an object whose keys have been checked, as readers.
///
/// Documents read like a table, a line for each key:
///
///     guard let player = value.object(["session", "file", "loops"]) else { return nil }
///     session = player.required("session")?.identifier()
///     file = player.required("file")?.text()
///     loops = player["loops"]?.integer(-1...1_000)
public struct ObjectReader {
  /// The object itself.
  public let object: ValueReader
  /// Members in the order of the file, unknown ones included.
  public let members: [PositionedValue.Member]

  /// A member, or nil when it is not there.
  public subscript(key: String) -> ValueReader? {
    members.first { $0.key == key }.map { object.descend(to: $0.value, by: .key(key)) }
  }

  /// A member; that it is not there is a problem, which names the path it would have. `example` is a value as it would be written.
  public func required(_ key: String, example: String? = nil) -> ValueReader? {
    if let member = self[key] { return member }
    object.log.report(
      at: object.value.position, path: object.path.appending(.key(key)), "\(key.quoted) is missing",
      fix: example.map { "add it, for instance \(key.quoted): \($0)" } ?? "add it")
    return nil
  }

  /// Reports every member whose key is none of `keys`; those of `later` exist, but not yet.
  func reportUnknown(_ keys: [String], later: [String]) {
    for member in members where !keys.contains(member.key) {
      if object.log.isFull { return }
      var what = "\(member.key.quoted) is not known here"
      var fix = keys.isEmpty ? "remove it" : "known here: \(keys.joined(separator: ", "))"
      if later.contains(member.key) {
        what = "\(member.key.quoted) comes in a later version (16, notYet)"
        fix = "remove it for now"
      } else if let near = NearestName.suggestion(for: member.key, among: keys + later) {
        fix = "did you mean \(near.quoted)?"
      }
      object.log.report(
        at: member.keyPosition, path: object.path.appending(.key(member.key)), what, fix: fix)
    }
  }
}
