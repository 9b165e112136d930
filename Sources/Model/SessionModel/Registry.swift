/// A dictionary that keeps the order in which values were added.
///
/// Each value is in a box, and copies of a registry share the boxes. A copy therefore costs one reference, and comparing two copies
/// looks only at values that changed since.
///
/// All functions are inlinable, so that the compiler makes a version for each type: the policy looks through many registries after every
/// event, and the generic version takes several times as long.
public struct Registry<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Nil until the first value is stored. Copies share the shelf until one of them changes, so copying a value that holds many
  /// registries, such as a session, costs one reference for each.
  @usableFromInline var shelf: Shelf?

  @inlinable public init() {}

  @inlinable public var keys: [Key] { shelf?.rows.order ?? [] }
  @inlinable public var count: Int { shelf?.rows.order.count ?? 0 }
  @inlinable public var isEmpty: Bool { count == 0 }
  // A closure, not a key path: a key path of a generic type is built anew at every call.
  @inlinable public var values: [Value] { boxes.map { $0.value } }

  @inlinable var boxes: [Box] { shelf?.rows.boxes ?? [] }

  /// Reads a value; adds one at the end, replaces one in its place, or removes one if it is set to nil.
  @inlinable public subscript(key: Key) -> Value? {
    get {
      guard let shelf, let position = shelf.rows.position(of: key) else { return nil }
      return shelf.rows.boxes[position].value
    }
    _modify {
      var value = self[key]
      defer { store(value, at: key) }
      yield &value
    }
  }

  /// Changes the value of a key in place; a value that copies of this registry share is copied first.
  /// - Returns: the result of `body`; nil if there is no value for the key.
  @discardableResult
  @inlinable public mutating func update<Result, Failure: Error>(
    _ key: Key, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let position = index(of: key) else { return nil }
    return try update(at: position, body)
  }

  @inlinable mutating func update<Result, Failure: Error>(
    at position: Int, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let shelf = unshare()
    if !isKnownUniquelyReferenced(&shelf.rows.boxes[position]) {
      shelf.rows.boxes[position] = Box(shelf.rows.boxes[position].value)
    }
    return try body(&shelf.rows.boxes[position].value)
  }

  /// Calls `body` with the value of a key, without copying the value.
  /// - Returns: the result of `body`; nil if there is no value for the key.
  @discardableResult
  @inlinable public func read<Result>(_ key: Key, _ body: (Value) -> Result) -> Result? {
    guard let shelf, let position = shelf.rows.position(of: key) else { return nil }
    return shelf.rows.look(position, body)
  }

  /// Where a search goes on that asks for one key after the other, mostly in the order of the registry. Such a search hashes nothing.
  public struct Cursor: Sendable {
    @usableFromInline var next = 0
    @inlinable public init() {}
  }

  /// Changes the value of a key in place, as `update` without a cursor does.
  @discardableResult
  @inlinable public mutating func update<Result, Failure: Error>(
    _ key: Key, at cursor: inout Cursor, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let position = shelf?.rows.position(of: key, at: &cursor) else { return nil }
    return try update(at: position, body)
  }

  /// Calls `body` with the value of a key, as `read` without a cursor does.
  @inlinable public func read<Result>(
    _ key: Key, at cursor: inout Cursor, _ body: (Value) -> Result
  ) -> Result? {
    guard let shelf, let position = shelf.rows.position(of: key, at: &cursor) else { return nil }
    return shelf.rows.look(position, body)
  }

  /// Whether there is a value for a key and `isWanted` accepts it. The value is not copied.
  @inlinable public func contains(_ key: Key, where isWanted: (Value) -> Bool) -> Bool {
    guard let shelf, let position = shelf.rows.position(of: key) else { return false }
    return shelf.rows.look(position, isWanted)
  }

  /// Calls `body` with every value in order, without copying the values.
  @inlinable public func forEachValue(_ body: (Value) -> Void) {
    guard let shelf else { return }
    for index in shelf.rows.boxes.indices { shelf.rows.look(index, body) }
  }

  /// Calls `body` with every key and value in order, without copying the values.
  @inlinable public func forEachEntry(_ body: (Key, Value) -> Void) {
    guard let shelf else { return }
    for index in shelf.rows.order.indices { shelf.rows.look(index) { body(shelf.rows.order[index], $0) } }
  }

  /// The keys of the values that `isWanted` accepts, in order. The values are not copied.
  @inlinable public func keys(where isWanted: (Value) -> Bool) -> [Key] {
    guard let shelf else { return [] }
    return shelf.rows.order.indices.compactMap { shelf.rows.look($0, isWanted) ? shelf.rows.order[$0] : nil }
  }

  /// Whether `isWanted` accepts any value. The values are not copied.
  @inlinable public func contains(where isWanted: (Value) -> Bool) -> Bool {
    guard let shelf else { return false }
    return shelf.rows.boxes.indices.contains { shelf.rows.look($0, isWanted) }
  }

  /// Changes the values that `isWanted` accepts, in order. The other values stay shared with copies of this registry.
  @inlinable public mutating func change(
    where isWanted: (Value) -> Bool, _ change: (inout Value) -> Void
  ) {
    guard let shelf, let first = shelf.rows.boxes.indices.first(where: { shelf.rows.look($0, isWanted) })
    else {
      return
    }
    // Usually many values change, and then building a new array is faster than changing a copy.
    var boxes: [Box] = []
    boxes.reserveCapacity(shelf.rows.boxes.count)
    boxes += shelf.rows.boxes[..<first]
    for index in first..<shelf.rows.boxes.count {
      guard index == first || shelf.rows.look(index, isWanted) else {
        boxes.append(shelf.rows.boxes[index])
        continue
      }
      let box = Box(shelf.rows.boxes[index].value)
      change(&box.value)
      boxes.append(box)
    }
    self.shelf = Shelf(order: shelf.rows.order, boxes: boxes, positions: shelf.rows.positions)
  }

  /// Position of a key in the order.
  @inlinable public func index(of key: Key) -> Int? { shelf?.rows.position(of: key) }

  /// Whether there is a value for the key.
  @inlinable public func contains(_ key: Key) -> Bool { index(of: key) != nil }

  @inlinable mutating func store(_ value: Value?, at key: Key) {
    switch (index(of: key), value) {
    case (let position?, let value?): unshare().rows.boxes[position] = Box(value)
    case (nil, let value?):
      let shelf = unshare()
      shelf.rows.positions[key] = shelf.rows.order.count
      shelf.rows.order.append(key)
      shelf.rows.boxes.append(Box(value))
    case (let position?, nil):
      let shelf = unshare()
      shelf.rows.order.remove(at: position)
      shelf.rows.boxes.remove(at: position)
      shelf.rows.positions[key] = nil
      for index in position..<shelf.rows.order.count { shelf.rows.positions[shelf.rows.order[index]] = index }
    case (nil, nil): break
    }
  }

  /// A shelf that no copy shares, made if necessary.
  @inlinable mutating func unshare() -> Shelf {
    if isKnownUniquelyReferenced(&shelf), let shelf { return shelf }
    let own = Shelf(shelf)
    shelf = own
    return own
  }

  /// The storage. Unchecked: it changes only while a single registry refers to it, as `unshare` ensures.
  @usableFromInline final class Shelf: @unchecked Sendable {
    @usableFromInline @exclusivity(unchecked) var rows: Rows

    @inlinable init(_ other: Shelf?) {
      if let other {
        rows = Rows(order: other.rows.order, boxes: other.rows.boxes, positions: other.rows.positions)
      } else {
        rows = Rows(order: [], boxes: [], positions: [:])
      }
    }

    @inlinable init(order: [Key], boxes: [Box], positions: [Key: Int]) {
      rows = Rows(order: order, boxes: boxes, positions: positions)
    }
  }

  /// The keys and boxes. Functions borrow them for the same reason as values (`Held`).
  @usableFromInline struct Rows: ~Copyable {
    @usableFromInline var order: [Key]
    @usableFromInline var boxes: [Box]
    @usableFromInline var positions: [Key: Int]

    @inlinable init(order: [Key], boxes: [Box], positions: [Key: Int]) {
      (self.order, self.boxes, self.positions) = (order, boxes, positions)
    }

    /// Calls `body` with a value in its box, without retaining the box: that would take longer than most calls of `body`.
    @inlinable func look<Result>(_ index: Int, _ body: (Value) -> Result) -> Result {
      boxes.withUnsafeBufferPointer { boxes in
        boxes.withMemoryRebound(to: Unmanaged<Box>.self) { boxes in
          boxes[index]._withUnsafeGuaranteedRef { $0.held.read(body) }
        }
      }
    }

    /// The position of a key. Among up to eight keys comparing each is several times as fast as hashing one.
    @inlinable func position(of key: Key) -> Int? {
      order.count <= 8 ? order.firstIndex(of: key) : positions[key]
    }

    /// The position of a key, which is often the one at the cursor. The cursor goes behind it.
    @inlinable func position(of key: Key, at cursor: inout Cursor) -> Int? {
      let next = cursor.next
      guard let position = next < order.count && order[next] == key ? next : position(of: key) else {
        return nil
      }
      cursor.next = position + 1
      return position
    }
  }

  /// A value that copies share. Unchecked: it changes only while a single registry refers to it, as `update` ensures.
  @usableFromInline final class Box: @unchecked Sendable {
    @usableFromInline @exclusivity(unchecked) var held: Held<Value>
    @inlinable init(_ value: Value) { held = Held(value: value) }

    /// The value, copied or changed in its place; `Rows.look` borrows it.
    @inlinable var value: Value {
      get { held.value }
      _modify { yield &held.value }
    }
  }
}

extension Registry {
  /// The value of a key, or a default. A change stores the value.
  public subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    set { self[key] = newValue }
  }
}

extension Registry: Equatable where Value: Equatable {
  @inlinable public static func == (left: Self, right: Self) -> Bool {
    left.shelf === right.shelf
      || left.keys == right.keys
        && zip(left.boxes, right.boxes).allSatisfy { $0 === $1 || $0.value == $1.value }
  }

  /// Whether both registries have the same keys in the same order and `isSame` accepts each pair of values.
  ///
  /// `isSame` is not called for values that both registries share.
  @inlinable public func allMatch(_ other: Self, _ isSame: (Value, Value) -> Bool) -> Bool {
    guard let shelf, let others = other.shelf, shelf !== others else {
      return shelf === other.shelf || count == other.count
    }
    return shelf.rows.order == others.rows.order
      && shelf.rows.boxes.indices.allSatisfy { index in
        shelf.rows.boxes[index] === others.rows.boxes[index]
          || shelf.rows.look(index) { mine in others.rows.look(index) { isSame(mine, $0) } }
      }
  }

  /// The keys whose values are new or different compared with `other`, in order.
  @inlinable public func keys(changedSince other: Self) -> [Key] {
    guard let shelf, shelf !== other.shelf else { return [] }
    guard let former = other.shelf else { return shelf.rows.order }
    let isAligned = shelf.rows.order == former.rows.order
    return shelf.rows.order.indices.compactMap { index in
      let key = shelf.rows.order[index]
      guard let position = isAligned ? index : former.rows.position(of: key) else { return key }
      if former.rows.boxes[position] === shelf.rows.boxes[index] { return nil }
      return former.rows.look(position) { old in shelf.rows.look(index) { $0 == old } } ? nil : key
    }
  }
}

extension Registry {
  /// The keys that `other` has no value for, in order.
  @inlinable public func keys<Other>(missingIn other: Registry<Key, Other>) -> [Key] {
    guard let shelf else { return [] }
    guard let former = other.shelf else { return shelf.rows.order }
    return shelf.rows.order == former.rows.order
      ? [] : shelf.rows.order.filter { former.rows.position(of: $0) == nil }
  }

  /// The values of some of the keys, in order.
  @inlinable public func only(_ keys: Set<Key>) -> Self {
    guard let shelf else { return self }
    let places = shelf.rows.order.indices.filter { keys.contains(shelf.rows.order[$0]) }
    guard places.count < shelf.rows.order.count else { return self }
    let order = places.map { shelf.rows.order[$0] }
    var part = Self()
    part.shelf = Shelf(
      order: order, boxes: places.map { shelf.rows.boxes[$0] },
      positions: Dictionary(uniqueKeysWithValues: zip(order, order.indices)))
    return part
  }
}

extension Registry: Sequence {
  @inlinable public func makeIterator() -> some IteratorProtocol<(key: Key, value: Value)> {
    zip(keys, boxes).lazy.map { (key: $0, value: $1.value) }.makeIterator()
  }
}
