/// Keys that are served in turn.
struct Rotation<Key: Hashable> {
  private var keys: [Key] = []
  private var first = 0

  var isEmpty: Bool { first == keys.count }

  mutating func append(_ key: Key) { keys.append(key) }

  mutating func takeFirst() -> Key? {
    guard first < keys.count else { return nil }
    defer {
      first += 1
      if first > 64, first > keys.count / 2 { (keys, first) = (Array(keys[first...]), 0) }
    }
    return keys[first]
  }
}
