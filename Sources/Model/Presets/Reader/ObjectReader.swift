public import JSON5
import SessionModel

/// Readers for the members of an object whose keys were checked.
///
/// A document is read with one line for each key:
///
///     guard let player = value.object(["session", "file", "loops"]) else { return nil }
///     session = player.required("session")?.identifier()
///     file = player.required("file")?.text()
///     loops = player["loops"]?.integer(-1...1_000)
public struct ObjectReader {
  /// The object itself.
  public let object: ValueReader
  /// Members in the file's order, including unknown ones.
  public let members: [PositionedValue.Member]

  /// A member; nil if it is missing.
  public subscript(key: String) -> ValueReader? {
    members.first { $0.key == key }.map { object.descend(to: $0.value, by: .key(key)) }
  }

  /// A required member. A missing one is a problem at the path that it would have. `example` is a value as a
  /// person would write it.
  public func required(_ key: String, example: String? = nil) -> ValueReader? {
    if let member = self[key] { return member }
    object.log.report(
      at: object.value.position, path: object.path.appending(.key(key)), "\(key.quoted) is missing",
      fix: example.map { "add it, for instance \(key.quoted): \($0)" } ?? "add it")
    return nil
  }

  /// Reports every member whose key is not in `keys`. The keys in `later` belong to later versions.
  func reportUnknown(_ keys: [String], later: [String]) {
    for member in members where !keys.contains(member.key) {
      if object.log.isFull { return }
      var what = "unknown key \(member.key.quoted)"
      var fix = keys.isEmpty ? "remove it" : "allowed here: \(keys.joined(separator: ", "))"
      if later.contains(member.key) {
        what = "\(member.key.quoted) \(ErrorCode.comesLater)"
        fix = "remove it for now"
      } else if let near = NearestName.suggestion(for: member.key, among: keys + later) {
        fix = "did you mean \(near.quoted)?"
      }
      object.log.report(
        at: member.keyPosition, path: object.path.appending(.key(member.key)), what, fix: fix)
    }
  }
}
