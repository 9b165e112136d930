public import SoundConversion
public import SoundFiles

/// What a player tells its owner, on the reader thread; `loudness` on that of the `LoudnessCache`.
public enum PlayerEvent: Hashable, Sendable {
  /// The player has a deck for its newest place, items and rate, and starts at once when it is told to.
  case prepared
  /// What the file of the present item says is known, or is known better: the length of some files is found at their end.
  case known(PlayerItem, ItemFacts)
  /// How loud an item is, if the player has a `LoudnessCache`.
  case loudness(PlayerItem, SoundLoudness)
  /// An item began to sound.
  case item(PlayerItem)
  /// An item begins again, for this time after the first.
  case looped(PlayerItem, count: Int)
  /// The player is elsewhere than the mark before tells: another item, loop, speed or place, or it begins or ends to sound.
  case mark(PlayerMark)
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

/// What the file of an item says about itself.
public struct ItemFacts: Hashable, Sendable {
  /// Length in seconds, without loops; nil if unknown.
  public var duration: Double?
  public var tags: SoundTags

  public init(duration: Double?, tags: SoundTags) { (self.duration, self.tags) = (duration, tags) }

  init(_ file: SoundFileReader) {
    self.init(duration: file.length.map { Double($0) / Double(file.sampleRate) }, tags: file.tags)
  }
}
