import MediaKernel
import SoundConversion

/// Fills one deck of a player with a programme, at the tempo of the player. Only the reader thread uses it.
final class DeckFiller {
  let deck: Int
  let generation: Int
  let programme: Programme
  private let store: DeckPairStore
  private let stretch: TimeStretch?
  private let rate: Int
  private(set) var isComplete = false
  /// Whether an item is being opened that the deck needs next.
  private(set) var isWaiting = false

  /// Frames that are rendered at once.
  static let chunk = 4_096
  /// Length of the head in seconds.
  static let headSeconds = 0.25

  init(
    _ store: DeckPairStore, deck: Int, generation: Int, _ programme: Programme, tempo: Double, rate: Int
  ) {
    (self.store, self.deck, self.generation, self.programme) = (store, deck, generation, programme)
    self.rate = rate
    stretch =
      tempo == 1 ? nil : try? TimeStretch(channels: store.channelCount, sampleRate: rate, tempo: tempo)
  }

  static func headRoom(_ rate: Int) -> Int { Int(Double(rate) * headSeconds) }
  /// Frames of a ring: four seconds, because a disk may stand still for one or two while something else writes.
  static func ringFrames(_ rate: Int) -> Int { 4 * rate }

  var tempo: Double { stretch?.tempo ?? 1 }
  var track: DeckTrack { DeckTrack(marks: programme.marks, tempo: tempo, rate: rate) }

  /// Frames that lie ready behind what was heard, in seconds.
  var ready: Double { Double(store.written(deck) - store.heard(deck)) / Double(rate) }

  /// Fills the head of the deck, which is empty.
  ///
  /// - Returns: false if an item has to be opened first; it is called again then.
  func fillHead() -> Bool {
    let room = Self.headRoom(rate)
    while store.written(deck) < room {
      let count = render(min(Self.chunk, room - store.written(deck))) {
        store.writeHead(deck, interleaved: $0, frames: $1)
      }
      if isComplete {
        store.complete(deck)
        return true
      }
      if count == 0 { return false }
    }
    return true
  }

  /// Whether the ring has room for a chunk, and something comes to fill it.
  ///
  /// In freewheel a second is enough, because the audio thread waits for the disk. A new rate is heard only behind what lies ready.
  func wantsFrames(freewheels: Bool) -> Bool {
    guard !isComplete, store.hasRing(deck), store.room(deck) >= Self.chunk else { return false }
    return !freewheels || ready < Self.secondsInFreewheel
  }

  private static let secondsInFreewheel = 1.0

  /// Renders one chunk into the ring.
  func fill() {
    _ = render(Self.chunk) { store.writeRing(deck, interleaved: $0, frames: $1) }
    if isComplete { store.complete(deck) }
  }

  /// Renders up to `frames` frames and calls `body` with them. The memory of the frames is valid only during that call, because a prepared
  /// player must cost little.
  private func render(_ frames: Int, _ body: (UnsafePointer<Float>, Int) -> Void) -> Int {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: frames * store.channelCount) { buffer in
      guard let first = buffer.baseAddress else { return 0 }
      let count = render(first, frames: frames)
      if count > 0 { body(first, count) }
      return count
    }
  }

  private func render(_ buffer: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    guard let stretch else {
      let count = programme.render(buffer, frames: frames)
      (isComplete, isWaiting) = (programme.isAtEnd, programme.isWaiting)
      return count
    }
    var count = stretch.take(buffer, frames: frames)
    while count == 0, !programme.isAtEnd {
      guard feed(stretch) else { return 0 }
      count = stretch.take(buffer, frames: frames)
    }
    isComplete = programme.isAtEnd && count == 0
    return count
  }

  /// Feeds the stretch; false while an item is being opened.
  private func feed(_ stretch: TimeStretch) -> Bool {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.chunk * store.channelCount) { input in
      guard let first = input.baseAddress else { return false }
      let fed = programme.render(first, frames: Self.chunk)
      if fed > 0 { stretch.put(first, frames: fed) }
      if programme.isAtEnd { stretch.end() }
      isWaiting = programme.isWaiting
      return fed > 0 || !isWaiting
    }
  }
}
