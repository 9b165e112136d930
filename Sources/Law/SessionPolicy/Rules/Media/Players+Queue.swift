import Queues
import SessionModel

/// Changes of queues (docs/law/media.md#4-queues).
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
    let wasEmpty = queue.value.isEmpty
    switch edit {
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
