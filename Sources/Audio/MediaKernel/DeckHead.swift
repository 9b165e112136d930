/// The first frames of a deck, in one piece.
///
/// The reader thread writes a head only while its deck is spare (`DeckPair`); the audio thread reads it.
struct DeckHead: BitwiseCopyable {
  /// Frames for which there is room.
  var room = 0
  /// Frames that were written.
  var frames = 0
  var channelCount = 0
  /// The samples, channel after channel, each with `room` frames; nil if the head has no room.
  var samples: UnsafeMutablePointer<Float>?

  /// The frames of a channel from a place on, which is in the head; nil if the head has no room.
  @_noLocks
  func samples(_ channel: Int, from place: Int) -> UnsafePointer<Float>? {
    guard let samples else { return nil }
    return UnsafePointer(samples + (channel &* room &+ place))
  }
}
