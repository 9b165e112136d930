/// What follows an item that ends (MPMusicPlayerController.repeatMode).
public enum RepeatMode: String, CaseIterable, Sendable {
  case none, one, all
}

/// In which order items follow each other (MPMusicPlayerController.shuffleMode).
public enum ShuffleMode: String, CaseIterable, Sendable {
  case off
  /// Each item once, in random order.
  case songs
  /// Each album once, in random order; the items of an album in the order of the queue. An item without album is an album by itself.
  case albums
}
