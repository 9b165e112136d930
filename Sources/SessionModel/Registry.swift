/// A dictionary that keeps the order in which things were made.
///
/// Each value stands in a box that copies of the registry share, so that a copy to try something on costs one reference per
/// value, and comparing two copies looks only into what was changed since.
///
/// All of it is inlinable, so that every module that uses it has it made for its own types: every change looks through many of
/// these, and the general code takes several times as long.
public struct Registry<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline var order: [Key] = []
  @usableFromInline var boxes: [Box] = []
  @usableFromInline var positions: [Key: Int] = [:]

  @inlinable public init() {}

  @inlinable public var keys: [Key] { order }
  @inlinable public var count: Int { keys.count }
  @inlinable public var isEmpty: Bool { keys.isEmpty }
  /// No key path, which would be made anew at every call, as its type depends on ours.
  @inlinable public var values: [Value] { boxes.map { $0.value } }

  /// Reads, adds at the end, replaces in place, or removes with nil.
  @inlinable public subscript(key: Key) -> Value? {
    get { positions[key].map { boxes[$0].value } }
    _modify {
      var value = self[key]
      defer { store(value, at: key) }
      yield &value
    }
  }

  /// Looks at all values in order, without copying any.
  @inlinable public func forEachValue(_ body: (Value) -> Void) {
    for box in boxes { body(box.value) }
  }

  /// The keys of the values that `isWanted`, in order; values are not copied.
  @inlinable public func keys(where isWanted: (Value) -> Bool) -> [Key] {
    order.indices.compactMap { isWanted(boxes[$0].value) ? order[$0] : nil }
  }

  /// Whether any value is as asked; values are not copied.
  @inlinable public func contains(where isWanted: (Value) -> Bool) -> Bool {
    boxes.contains { isWanted($0.value) }
  }

  /// Changes the values that `isWanted`, in order; the others are not touched.
  @inlinable public mutating func change(
    where isWanted: (Value) -> Bool, _ change: (inout Value) -> Void
  ) {
    for index in boxes.indices where isWanted(boxes[index].value) {
      var value = boxes[index].value
      change(&value)
      boxes[index] = Box(value)
    }
  }

  /// Position of a key in the order.
  @inlinable public func index(of key: Key) -> Int? { positions[key] }

  /// Whether there is a value for the key.
  @inlinable public func contains(_ key: Key) -> Bool { positions[key] != nil }

  @inlinable mutating func store(_ value: Value?, at key: Key) {
    switch (positions[key], value) {
    case (let position?, let value?): boxes[position] = Box(value)
    case (nil, let value?):
      positions[key] = order.count
      order.append(key)
      boxes.append(Box(value))
    case (let position?, nil):
      order.remove(at: position)
      boxes.remove(at: position)
      positions[key] = nil
      for index in position..<order.count { positions[order[index]] = index }
    case (nil, nil): break
    }
  }

  @usableFromInline final class Box: Sendable {
    @usableFromInline let value: Value
    @inlinable init(_ value: Value) { self.value = value }
  }
}

extension Registry: Equatable where Value: Equatable {
  @inlinable public static func == (left: Self, right: Self) -> Bool {
    left.keys == right.keys && zip(left.boxes, right.boxes).allSatisfy { $0 === $1 || $0.value == $1.value }
  }

  /// Whether all values satisfy `isSame` with those of `other` in the same place; the same keys are needed, too.
  ///
  /// What is shared by both is not asked about.
  @inlinable public func allMatch(_ other: Self, _ isSame: (Value, Value) -> Bool) -> Bool {
    keys == other.keys && zip(boxes, other.boxes).allSatisfy { $0 === $1 || isSame($0.value, $1.value) }
  }

  /// The keys whose values are not as they were in `other`, or were not there.
  @inlinable public func keys(changedSince other: Self) -> [Key] {
    let isAligned = keys == other.keys
    return keys.indices.compactMap { index in
      guard let former = isAligned ? index : other.positions[keys[index]] else { return keys[index] }
      let (old, new) = (other.boxes[former], boxes[index])
      return old === new || old.value == new.value ? nil : keys[index]
    }
  }
}

extension Registry: Sequence {
  @inlinable public func makeIterator() -> some IteratorProtocol<(key: Key, value: Value)> {
    zip(keys, boxes).lazy.map { (key: $0, value: $1.value) }.makeIterator()
  }
}
