/// A dictionary that keeps the order in which things were made.
public struct Registry<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  public private(set) var keys: [Key] = []
  private var storage: [Key: Value] = [:]

  public init() {}

  public var count: Int { keys.count }
  public var isEmpty: Bool { keys.isEmpty }
  public var values: [Value] { keys.map { storage[$0]! } }

  /// Reads, adds at the end, replaces in place, or removes with nil.
  public subscript(key: Key) -> Value? {
    get { storage[key] }
    _modify {
      let existed = storage[key] != nil
      yield &storage[key]
      let exists = storage[key] != nil
      if exists, !existed { keys.append(key) }
      if existed, !exists { keys.removeAll { $0 == key } }
    }
  }

  /// Position of a key in the order.
  public func index(of key: Key) -> Int? { keys.firstIndex(of: key) }
}

extension Registry: Equatable where Value: Equatable {}

extension Registry: Sequence {
  public func makeIterator() -> some IteratorProtocol<(key: Key, value: Value)> {
    keys.lazy.map { (key: $0, value: storage[$0]!) }.makeIterator()
  }
}
