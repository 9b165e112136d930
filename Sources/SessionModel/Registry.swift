/// A dictionary that keeps the order in which things were made.
///
/// Each value stands in a box that copies of the registry share, so that a copy to try something on costs one reference per
/// value, and comparing two copies looks only into what was changed since.
public struct Registry<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  public private(set) var keys: [Key] = []
  private var boxes: [Box] = []
  private var positions: [Key: Int] = [:]

  public init() {}

  public var count: Int { keys.count }
  public var isEmpty: Bool { keys.isEmpty }
  public var values: [Value] { boxes.map(\.value) }

  /// Reads, adds at the end, replaces in place, or removes with nil.
  public subscript(key: Key) -> Value? {
    get { positions[key].map { boxes[$0].value } }
    _modify {
      var value = self[key]
      defer { store(value, at: key) }
      yield &value
    }
  }

  /// Position of a key in the order.
  public func index(of key: Key) -> Int? { positions[key] }

  /// Whether there is a value for the key.
  public func contains(_ key: Key) -> Bool { positions[key] != nil }

  private mutating func store(_ value: Value?, at key: Key) {
    switch (positions[key], value) {
    case (let position?, let value?): boxes[position] = Box(value)
    case (nil, let value?):
      positions[key] = keys.count
      keys.append(key)
      boxes.append(Box(value))
    case (let position?, nil):
      keys.remove(at: position)
      boxes.remove(at: position)
      positions[key] = nil
      for index in position..<keys.count { positions[keys[index]] = index }
    case (nil, nil): break
    }
  }

  private final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }
}

extension Registry: Equatable where Value: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.keys == right.keys && zip(left.boxes, right.boxes).allSatisfy { $0 === $1 || $0.value == $1.value }
  }

  /// The keys whose values are not as they were in `other`, or were not there.
  public func keys(changedSince other: Self) -> [Key] {
    let isAligned = keys == other.keys
    return keys.indices.compactMap { index in
      guard let former = isAligned ? index : other.positions[keys[index]] else { return keys[index] }
      let (old, new) = (other.boxes[former], boxes[index])
      return old === new || old.value == new.value ? nil : keys[index]
    }
  }
}

extension Registry: Sequence {
  public func makeIterator() -> some IteratorProtocol<(key: Key, value: Value)> {
    zip(keys, boxes).lazy.map { (key: $0, value: $1.value) }.makeIterator()
  }
}
