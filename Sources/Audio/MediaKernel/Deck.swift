package import Rings
package import Synchronization

/// One of a player's two decks: a stream of frames from one place of its programme on, counted from 0.
///
/// The first frames lie in the head, in one piece, all others pass through a ring. The reader thread fills both; the audio thread reads
/// in place.
/// The reader may change the head and exchange the ring only while the deck is its own (`DeckPair`).
public struct Deck: ~Copyable {
  /// The first frames; it has no room while the deck is not prepared.
  var head = DeckHead()
  /// The ring with the frames after the head; nil until the deck has one. It is set once while the deck is offered or sounds.
  package let ring = Atomic<UnsafeMutablePointer<SampleRing>?>(nil)
  /// The number of frames in all; `endless` until the reader has written the last one.
  package let length = Atomic<Int>(endless)
  /// Frames that the reader has written since it made the deck ready.
  let written = Atomic<Int>(0)
  /// Frames that the audio thread has taken.
  package let heard = Atomic<Int>(0)

  package static var endless: Int { @_noLocks get { .max } }

  package init() {}

  /// Frames that can be read from a place on.
  @_noLocks
  func available(from place: Int) -> Int {
    var written = head.frames
    if let ring = ring.load(ordering: .acquiring) { written &+= ring.pointee.framesWritten() }
    return written &- place
  }

  /// Whether the reader has written the last frame.
  @_noLocks
  func isComplete() -> Bool { length.load(ordering: .acquiring) != Self.endless }

  /// Whether enough is there to go on after an underrun: a sixteenth of the ring, or all the rest.
  @_noLocks
  func isRefilled(from place: Int) -> Bool {
    if isComplete() { return true }
    guard let ring = ring.load(ordering: .acquiring) else { return false }
    return available(from: place) >= ring.pointee.capacity / 16
  }

  /// How many of `frames` frames from a place on lie in one piece.
  @_noLocks
  func piece(from place: Int, frames: Int) -> Int {
    place < head.frames ? min(frames, head.frames &- place) : frames
  }

  /// The frames of a channel from a place on, in the head or in the ring; nil for silence.
  ///
  /// - Parameter place: at most a period behind `heard`.
  @_noLocks
  func samples(_ channel: Int, from place: Int) -> UnsafePointer<Float>? {
    if place < head.frames { return head.samples(channel, from: place) }
    guard let ring = ring.load(ordering: .acquiring) else { return nil }
    return UnsafePointer(
      ring.pointee.readPointer(channel: channel) + (place &- head.frames &- ring.pointee.framesRead()))
  }

  /// Takes frames: the reader may use their room.
  @_noLocks
  func take(_ frames: Int) {
    let before = heard.load(ordering: .relaxed)
    let after = before &+ frames
    if let ring = ring.load(ordering: .acquiring), after > head.frames {
      ring.pointee.endReading(frames: after &- max(before, head.frames))
    }
    heard.store(after, ordering: .releasing)
  }
}
