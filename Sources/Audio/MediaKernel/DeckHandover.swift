package import Synchronization

/// What the audio thread, the reader thread and the control side tell each other about a player's decks.
public struct DeckHandover: ~Copyable {
  // MARK: From the reader

  /// The deck that shall take over, as `handle` makes it; 0 for none. The reader may take it back as long as it is here.
  package let offer = Atomic<Int>(0)
  /// The frame of the present deck at which the offered one takes over; `DeckOrder.now` for the next period.
  package let place = Atomic<Int>(DeckOrder.now)
  /// Length of the crossfade in frames. A negative one keeps the power, for unlike sounds; a positive one keeps the amplitude, for one sound
  /// in both decks.
  package let fade = Atomic<Int>(0)
  /// Memory for periods that are not in one piece, or that fade: channel after channel, each with `longestPiece` frames. Nil until the first
  /// order.
  package let patches = Atomic<UnsafeMutablePointer<Float>?>(nil)

  // MARK: From the audio thread

  /// The deck that sounds, or would: a handle; 0 before the first one.
  package let current = Atomic<Int>(0)
  /// Whether the deck that sounded before still fades out.
  package let isCrossing = Atomic<Bool>(false)
  /// Whether anything sounds, or lacks frames.
  package let isSounding = Atomic<Bool>(false)
  /// The generation that played to its end; 0 for none.
  package let finished = Atomic<Int>(0)
  /// How often frames were missing.
  package let underruns = Atomic<Int>(0)
  /// How often the audio thread gave up waiting in freewheel.
  package let timeouts = Atomic<Int>(0)
  /// The serial of the last order that took effect.
  package let obeyed = Atomic<Int>(0)

  package init() {}

  /// A deck and its generation, which counts the places that the player was sent to, in one number.
  @_noLocks
  package static func handle(generation: Int, deck: Int) -> Int { generation &<< 1 | deck }

  @_noLocks
  package static func generation(of handle: Int) -> Int { handle &>> 1 }
}
