public import Queues

/// The words of one packet that name files of the media folders, and what they mean.
///
/// A packet is tried without them first. The words that it needs are then looked up on another thread, because that may wait for a disk,
/// and the packet is tried again.
public struct PacketWords: Sendable {
  /// What was found, by word.
  private var meanings: [String: QueueAddition] = [:]
  /// The words that are still to be looked up, in the order of the packet.
  private(set) var missing: [String] = []

  public init(_ meanings: [String: QueueAddition] = [:]) { self.meanings = meanings }

  /// What several words mean together; nothing while one of them is to be looked up.
  mutating func meaning(of words: [String]) -> QueueAddition? {
    var addition = QueueAddition()
    for word in words {
      if let meaning = meanings[word] {
        addition.items += meaning.items
        addition.problems += meaning.problems
      } else if !missing.contains(word) {
        missing.append(word)
      }
    }
    return missing.isEmpty ? addition : nil
  }
}
