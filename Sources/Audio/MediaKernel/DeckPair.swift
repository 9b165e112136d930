internal import Synchronization

/// The audio thread's side of a player: two decks, of which one sounds while the reader prepares the other.
///
/// Each period calls `begin`, then `samples` for each channel, then `end`. Nothing here waits, except in freewheel, where the audio must wait
/// for the disk. Ordinary periods are read in place. The reader offers another deck with `offer`, and the audio thread crossfades to it.
public struct DeckPair: ~Copyable {
  public let channelCount: Int
  package let decks: UnsafeMutablePointer<Deck>
  package let share: UnsafeMutablePointer<DeckHandover>

  // MARK: The audio thread's own

  var phase = DeckPhase.silent
  /// Whether an order to play waits for the deck of its generation.
  var isDue = false
  /// What is left of the order in force.
  var order = DeckOrder()
  var fade = DeckFade()
  /// What follows a fade out: silence, or else an underrun.
  var fadesToSilence = false
  /// The present deck; -1 before the first one.
  var main = -1
  /// The deck that fades out in a crossfade; -1 for none.
  var leaving = -1
  var cross = DeckFade()
  var crossKeepsPower = false
  /// Frames of this period that were taken from each deck.
  var taken = (0, 0)
  /// Where the period lies.
  var source = DeckSource.silence
  var hasGivenUp = false
  /// Whether the plans lost this player: the order in force takes effect anew when a plan has the player again.
  var isSettled = false

  package init(
    channelCount: Int, decks: UnsafeMutablePointer<Deck>, share: UnsafeMutablePointer<DeckHandover>
  ) {
    (self.channelCount, self.decks, self.share) = (channelCount, decks, share)
  }

  /// The longest period in frames.
  package static var longestPiece: Int { @_noLocks get { 8_192 } }
  /// Frames of the fades around an underrun, 2 ms at 48 kHz. So many are kept back, so that there is always something to fade.
  static var brink: Int { @_noLocks get { 96 } }
  /// Naps in freewheel before the audio goes on without the disk: 5 s.
  static var patience: Int { @_noLocks get { 100_000 } }

  // MARK: A period

  /// Begins a period.
  ///
  /// - Parameters:
  ///   - order: the newest order for this player; the same one in every period until there is another. One that is older than the last one
  ///     changes nothing.
  ///   - frames: length of the period, at most 8,192.
  ///   - time: the frame at which the period begins, in a count that never jumps while an order waits for its time.
  ///   - waits: whether to wait for the disk, at most 5 s: in freewheel alone.
  @_noLocks
  public mutating func begin(_ order: DeckOrder, frames: Int, time: Int, waits: Bool) {
    taken = (0, 0)
    guard frames <= Self.longestPiece else { return source = .silence }
    let turn = turn(order, frames: frames, time: time)
    if turn >= frames, isDirect(frames) { return }
    play(order, turn: turn, frames: frames, waits: waits)
    share.pointee.isSounding.store(phase != .silent, ordering: .releasing)
  }

  /// The frames of a channel in this period; nil for silence. They stay valid until `end`.
  @_noLocks
  public func samples(_ channel: Int) -> UnsafePointer<Float>? {
    if source == .deck {
      return decks[main].samples(channel, from: decks[main].heard.load(ordering: .relaxed))
    }
    guard source == .patch, let patches = share.pointee.patches.load(ordering: .acquiring) else { return nil }
    return UnsafePointer(patches + channel &* Self.longestPiece)
  }

  /// Ends the period: the reader may use the room of its frames.
  @_noLocks
  public func end() {
    if taken.0 > 0 { decks[0].take(taken.0) }
    if taken.1 > 0 { decks[1].take(taken.1) }
  }

  /// Falls silent and lets go of both decks, because no plan has this player any more. Not for the audio thread: only while no audio thread
  /// calls this player.
  @_noLocks
  mutating func settle() {
    (phase, fade, leaving) = (.silent, DeckFade(), -1)
    (isDue, isSettled) = (false, true)
    share.pointee.isCrossing.store(false, ordering: .releasing)
    share.pointee.isSounding.store(false, ordering: .releasing)
  }

  /// The frame of the period at which a new order takes effect; `frames` or more for none.
  @_noLocks
  private func turn(_ order: DeckOrder, frames: Int, time: Int) -> Int {
    if isSettled, order.serial > 0, order.serial == self.order.serial { return 0 }
    if order.serial <= self.order.serial { return frames }
    return order.time <= time ? 0 : order.time &- time
  }

  /// Reads an ordinary period in place; false if there is more to do.
  @_noLocks
  private mutating func isDirect(_ frames: Int) -> Bool {
    if isDue || share.pointee.offer.load(ordering: .relaxed) != 0 { return false }
    if phase == .silent {
      source = .silence
      return true
    }
    guard phase == .sounding, leaving < 0, fade.length == 0 else { return false }
    let place = decks[main].heard.load(ordering: .relaxed)
    let reserve = decks[main].isComplete() ? 0 : Self.brink
    guard decks[main].available(from: place) >= frames &+ reserve,
      decks[main].piece(from: place, frames: frames) == frames
    else { return false }
    source = .deck
    take(main, frames)
    return true
  }

  @_noLocks
  mutating func take(_ deck: Int, _ frames: Int) {
    if deck == 0 { taken.0 &+= frames } else { taken.1 &+= frames }
  }

  /// The next frame of a deck.
  @_noLocks
  func place(_ deck: Int) -> Int {
    decks[deck].heard.load(ordering: .relaxed) &+ (deck == 0 ? taken.0 : taken.1)
  }
}
