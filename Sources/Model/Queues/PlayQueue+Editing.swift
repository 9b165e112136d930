extension PlayQueue {
  /// Adds items at the end.
  /// - Throws: `QueueError.full`; nothing is added then.
  public mutating func add(_ items: [QueueItem]) throws(QueueError) { try insert(items, at: count) }

  /// Inserts items before the item of an index; the number of items is an index as well, and means the end.
  ///
  /// The present item stays. With shuffle the new items get random places among those to come, but never come next, because the next item may
  /// be prepared already.
  /// - Throws: `QueueError`; nothing is inserted then.
  public mutating func insert(_ items: [QueueItem], at index: Int) throws(QueueError) {
    guard (0...count).contains(index) else { throw .noItem(index: index, count: count) }
    guard count + items.count <= Self.most else { throw .full(count: count + items.count) }
    guard !items.isEmpty else { return }
    let (wasEmpty, fresh) = (isEmpty, numbered(items))
    entries.insert(contentsOf: fresh, at: index)
    guard !wasEmpty else {
      place = 0
      return beginRound()
    }
    if index <= place { place += fresh.count }
    shuffling.insert(fresh, into: entries, present: entries[place].number)
    plan()
  }

  /// Moves an item to another index, at which it then is. The present item stays present.
  /// - Throws: `QueueError.noItem`.
  public mutating func move(from old: Int, to new: Int) throws(QueueError) {
    try check(old)
    try check(new)
    let present = entries[place].number
    entries.insert(entries.remove(at: old), at: new)
    place = placeOf(present) ?? 0
  }

  /// Removes an item.
  ///
  /// - Returns: whether it was the present one. Then the item that would have followed is the present one, if there is any.
  /// - Throws: `QueueError.noItem`.
  @discardableResult
  public mutating func remove(at index: Int) throws(QueueError) -> Bool {
    try check(index)
    let number = entries[index].number
    let isPresent = index == place
    let successor = isPresent ? following.map { entries[$0].number } : entries[place].number
    entries.remove(at: index)
    history.removeAll { $0 == number }
    shuffling.remove(number)
    if isPresent, let successor { shuffling.take(successor) }
    place = successor.flatMap(placeOf) ?? 0
    if isPresent { left = nil }
    if isEmpty { shuffling.forget() } else if isPresent, successor == nil { beginRound() }
    plan()
    return isPresent
  }

  /// Removes all items.
  public mutating func clear() {
    (entries, place, history, failures, left) = ([], 0, [], 0, nil)
    shuffling.forget()
  }

  func check(_ index: Int) throws(QueueError) {
    guard entries.indices.contains(index) else { throw .noItem(index: index, count: count) }
  }
}
