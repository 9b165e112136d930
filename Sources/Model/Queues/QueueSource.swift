/// What finds the files that a word means: the name of a file, a folder or a playlist, a media id, or a query such as `album:Blue`.
public protocol QueueSource {
  /// The items that `word` means, in the order in which they are to be heard. May block on the disk.
  func items(for word: String) -> QueueAddition
}

/// What a word means, as far as it can be played.
public struct QueueAddition: Equatable, Sendable {
  public var items: [QueueItem]
  /// A sentence for each part that cannot be used, such as a line of a playlist. Without any item the word itself is refused.
  public var problems: [String]

  public init(_ items: [QueueItem] = [], problems: [String] = []) {
    (self.items, self.problems) = (items, problems)
  }
}
