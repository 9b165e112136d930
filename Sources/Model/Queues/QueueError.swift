/// Why a queue refuses a change; the description is a sentence for the operator.
public enum QueueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no item of this index among so many.
  case noItem(index: Int, count: Int)
  /// The queue would have more items than `PlayQueue.most`.
  case full(count: Int)

  public var description: String {
    switch self {
    case .noItem(let index, 0): "there is no item \(index), because the queue is empty"
    case .noItem(let index, let count):
      "there is no item \(index); the queue has \(count), counted from 0 to \(count - 1)"
    case .full(let count):
      "the queue would have \(count) items, and may have \(PlayQueue.most); remove some first"
    }
  }
}
