/// The first frames of a deck, in one piece.
///
/// Most files have 16 bits for a sample. Such samples take half of the memory here: a head keeps whole numbers until a sample is no
/// whole number of 16 bits, and floating-point numbers from then on. Either way the samples are those of the file, bit for bit.
///
/// The reader thread writes a head only while its deck is spare (`DeckPair`); the audio thread reads it.
struct DeckHead: BitwiseCopyable {
  /// Frames for which there is room.
  var room = 0
  /// Frames that were written.
  var frames = 0
  var channelCount = 0
  /// The samples as whole numbers, channel after channel, each with `room` frames; nil if the head has no room, or has floating-point numbers.
  var whole: UnsafeMutablePointer<Int16>?
  /// The samples as floating-point numbers, in the same order; nil if the head has no room, or has whole numbers.
  var floating: UnsafeMutablePointer<Float>?

  /// The frames of a channel from a place on, which is in the head.
  @_noLocks
  func samples(_ channel: Int, from place: Int) -> DeckSamples {
    let first = channel &* room &+ place
    if let floating { return DeckSamples(floating: floating + first) }
    if let whole { return DeckSamples(whole: whole + first) }
    return DeckSamples()
  }
}
