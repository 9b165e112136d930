/// A dictionary that keeps the order in which things were made.
///
/// Each value stands in a box that copies of the registry share, so that a copy to try something on costs one reference per
/// value, and comparing two copies looks only into what was changed since.
///
/// All of it is inlinable, so that every module that uses it has it made for its own types: every change looks through many of
/// these, and the general code takes several times as long.
public struct Registry<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Nil while nothing was ever stored. Shared by copies until one of them changes, so that a value that holds many registries,
  /// as a session does, costs one reference for each when it is copied.
  @usableFromInline var shelf: Shelf?

  @inlinable public init() {}

  @inlinable public var keys: [Key] { shelf?.order ?? [] }
  @inlinable public var count: Int { shelf?.order.count ?? 0 }
  @inlinable public var isEmpty: Bool { count == 0 }
  /// No key path, which would be made anew at every call, as its type depends on ours.
  @inlinable public var values: [Value] { boxes.map { $0.value } }

  @inlinable var boxes: [Box] { shelf?.boxes ?? [] }

  /// Reads, adds at the end, replaces in place, or removes with nil.
  @inlinable public subscript(key: Key) -> Value? {
    get {
      guard let shelf, let position = shelf.position(of: key) else { return nil }
      return shelf.boxes[position].value
    }
    _modify {
      var value = self[key]
      defer { store(value, at: key) }
      yield &value
    }
  }

  /// Whether there is a value for a key, and it is as asked; it is not copied.
  @inlinable public func contains(_ key: Key, where isWanted: (Value) -> Bool) -> Bool {
    guard let shelf, let position = shelf.position(of: key) else { return false }
    return shelf.look(position, isWanted)
  }

  /// Looks at all values in order, without copying any.
  @inlinable public func forEachValue(_ body: (Value) -> Void) {
    guard let shelf else { return }
    for index in shelf.boxes.indices { shelf.look(index, body) }
  }

  /// Looks at all keys and values in order, without copying any.
  @inlinable public func forEachEntry(_ body: (Key, Value) -> Void) {
    guard let shelf else { return }
    for index in shelf.order.indices { shelf.look(index) { body(shelf.order[index], $0) } }
  }

  /// The keys of the values that `isWanted`, in order; values are not copied.
  @inlinable public func keys(where isWanted: (Value) -> Bool) -> [Key] {
    guard let shelf else { return [] }
    return shelf.order.indices.compactMap { shelf.look($0, isWanted) ? shelf.order[$0] : nil }
  }

  /// Whether any value is as asked; values are not copied.
  @inlinable public func contains(where isWanted: (Value) -> Bool) -> Bool {
    guard let shelf else { return false }
    return shelf.boxes.indices.contains { shelf.look($0, isWanted) }
  }

  /// Changes the values that `isWanted`, in order; the others are not touched.
  @inlinable public mutating func change(
    where isWanted: (Value) -> Bool, _ change: (inout Value) -> Void
  ) {
    guard let shelf, let first = shelf.boxes.indices.first(where: { shelf.look($0, isWanted) }) else {
      return
    }
    // Where many change, as mostly, a new row is made faster than a copied one is changed.
    var boxes: [Box] = []
    boxes.reserveCapacity(shelf.boxes.count)
    boxes += shelf.boxes[..<first]
    for index in first..<shelf.boxes.count {
      guard index == first || shelf.look(index, isWanted) else {
        boxes.append(shelf.boxes[index])
        continue
      }
      var value = shelf.boxes[index].value
      change(&value)
      boxes.append(Box(consume value))
    }
    self.shelf = Shelf(order: shelf.order, boxes: boxes, positions: shelf.positions)
  }

  /// Position of a key in the order.
  @inlinable public func index(of key: Key) -> Int? { shelf?.position(of: key) }

  /// Whether there is a value for the key.
  @inlinable public func contains(_ key: Key) -> Bool { index(of: key) != nil }

  @inlinable mutating func store(_ value: Value?, at key: Key) {
    switch (index(of: key), value) {
    case (let position?, let value?): unshare().boxes[position] = Box(value)
    case (nil, let value?):
      let shelf = unshare()
      shelf.positions[key] = shelf.order.count
      shelf.order.append(key)
      shelf.boxes.append(Box(value))
    case (let position?, nil):
      let shelf = unshare()
      shelf.order.remove(at: position)
      shelf.boxes.remove(at: position)
      shelf.positions[key] = nil
      for index in position..<shelf.order.count { shelf.positions[shelf.order[index]] = index }
    case (nil, nil): break
    }
  }

  /// The shelf, ours alone from here on.
  @inlinable mutating func unshare() -> Shelf {
    if isKnownUniquelyReferenced(&shelf), let shelf { return shelf }
    let own = Shelf(shelf)
    shelf = own
    return own
  }

  /// Changed only while one registry has it, which `unshare` sees to.
  @usableFromInline final class Shelf: @unchecked Sendable {
    @usableFromInline @exclusivity(unchecked) var order: [Key] = []
    @usableFromInline @exclusivity(unchecked) var boxes: [Box] = []
    @usableFromInline @exclusivity(unchecked) var positions: [Key: Int] = [:]

    @inlinable init(_ other: Shelf?) {
      guard let other else { return }
      (order, boxes, positions) = (other.order, other.boxes, other.positions)
    }

    @inlinable init(order: [Key], boxes: [Box], positions: [Key: Int]) {
      (self.order, self.boxes, self.positions) = (order, boxes, positions)
    }

    /// Shows a value where it is: retaining its box, as reading the array does, takes longer than most looks.
    @inlinable func look<Result>(_ index: Int, _ body: (Value) -> Result) -> Result {
      boxes.withUnsafeBufferPointer { boxes in
        boxes.withMemoryRebound(to: Unmanaged<Box>.self) { boxes in
          boxes[index]._withUnsafeGuaranteedRef { body($0.value) }
        }
      }
    }

    /// Among a few keys looking at each is several times as fast as hashing one.
    @inlinable func position(of key: Key) -> Int? {
      order.count <= 8 ? order.firstIndex(of: key) : positions[key]
    }
  }

  /// A constant, so that looking into it copies nothing.
  @usableFromInline final class Box: Sendable {
    @usableFromInline let value: Value
    @inlinable init(_ value: Value) { self.value = value }
  }
}

extension Registry: Equatable where Value: Equatable {
  @inlinable public static func == (left: Self, right: Self) -> Bool {
    left.shelf === right.shelf
      || left.keys == right.keys
        && zip(left.boxes, right.boxes).allSatisfy { $0 === $1 || $0.value == $1.value }
  }

  /// Whether all values satisfy `isSame` with those of `other` in the same place; the same keys are needed, too.
  ///
  /// What is shared by both is not asked about.
  @inlinable public func allMatch(_ other: Self, _ isSame: (Value, Value) -> Bool) -> Bool {
    shelf === other.shelf
      || keys == other.keys && zip(boxes, other.boxes).allSatisfy { $0 === $1 || isSame($0.value, $1.value) }
  }

  /// The keys whose values are not as they were in `other`, or were not there.
  @inlinable public func keys(changedSince other: Self) -> [Key] {
    guard let shelf, shelf !== other.shelf else { return [] }
    guard let former = other.shelf else { return shelf.order }
    let isAligned = shelf.order == former.order
    return shelf.order.indices.compactMap { index in
      let key = shelf.order[index]
      guard let position = isAligned ? index : former.position(of: key) else { return key }
      let (old, new) = (former.boxes[position], shelf.boxes[index])
      return old === new || old.value == new.value ? nil : key
    }
  }
}

extension Registry: Sequence {
  @inlinable public func makeIterator() -> some IteratorProtocol<(key: Key, value: Value)> {
    zip(keys, boxes).lazy.map { (key: $0, value: $1.value) }.makeIterator()
  }
}
