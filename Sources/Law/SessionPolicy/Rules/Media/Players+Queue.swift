import Queues
import SessionModel

/// Changes of queues (docs/develop/law/media.md#4-queues).
extension Players {
  static func change(
    _ state: inout RouterState, _ id: PlayerID, _ edit: QueueEdit, at time: Double
  ) throws(SessionError) -> [Notification] {
    try state.changePlayer(id) { player throws(SessionError) in
      do throws(QueueError) { try player.change(edit) } catch {
        throw SessionError(error.code, "\(id): \(error)")
      }
    }
  }
}

extension MediaPlayer {
  fileprivate mutating func change(_ edit: QueueEdit) throws(QueueError) {
    switch edit {
    case .contents(let words): return set(contents: words)
    case .found(let items, let words): return try take(found: items, for: words)
    default: (contents, search) = (nil, nil)
    }
    let wasEmpty = queue.value.isEmpty
    switch edit {
    case .contents, .found: break
    case .add(let items): try queue.value.add(items)
    case .insert(let items, let index): try queue.value.insert(items, at: index)
    case .move(let from, let to): return try queue.value.move(from: from, to: to)
    case .remove(let index): return try remove(index)
    case .clear: return replace()
    case .replace(let items):
      guard items.count <= PlayQueue.most else { throw .full(count: items.count) }
      replace()
      try queue.value.add(items)
    }
    if wasEmpty, !queue.value.isEmpty { beginPass() }
  }

  /// Replaces the queue by the items that words mean, which are not known yet. The words that the queue has leave it as it is.
  private mutating func set(contents words: [String]) {
    guard words != contents else { return }
    replace()
    (contents, search) = (words, words.isEmpty ? nil : Search())
  }

  /// Takes the items that the player's words mean, and goes to the place that it was sent to meanwhile.
  private mutating func take(found items: [QueueItem], for words: [String]) throws(QueueError) {
    guard let search, words == contents else { return }
    self.search = nil
    try queue.value.add(items)
    guard !queue.value.isEmpty else { return stop() }
    if let index = search.index, index < queue.value.count { _ = try queue.value.go(to: index) }
    let seconds = jump.seconds
    beginPass()
    if seconds > 0 { jump(to: seconds) }
  }

  /// Removes an item. If it is the present one, the next one plays; without one the player stops.
  private mutating func remove(_ index: Int) throws(QueueError) {
    let hasNext = queue.value.hasNext && queue.value.count > 1
    guard try queue.value.remove(at: index) else { return }
    beginPass()
    if !hasNext { stop() }
  }

  /// Removes all items.
  private mutating func replace() {
    queue.value.clear()
    beginPass()
    stop()
  }
}

extension QueueError {
  fileprivate var code: ErrorCode {
    switch self {
    case .noItem: .outOfRange
    case .full: .full
    }
  }
}
