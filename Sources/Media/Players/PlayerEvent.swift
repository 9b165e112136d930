public import SoundFiles

/// What a player tells its owner, on the reader thread.
public enum PlayerEvent: Hashable, Sendable {
  /// The player has a deck and starts at once when it is told to.
  case prepared
  /// An item began to sound.
  case item(PlayerItem)
  /// The last item has ended. The player stands at the start of its first item.
  case finished
  /// An item cannot be played, and is taken off the list. The player goes on with the next one.
  case failed(PlayerItem, MediaError)
  /// The sound of an item ends early. The player goes on with the next one.
  case damaged(PlayerItem, MediaError)
  /// Nothing can be played: every item failed, or three in a row did.
  case gaveUp
  /// Frames were missing; the number counts all times so far.
  case underrun(Int)
  /// In freewheel, the disk had not given the frames after 5 s; silence was played.
  case timeout
}
