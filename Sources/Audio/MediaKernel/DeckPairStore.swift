internal import Rings
internal import Synchronization

/// Owns a player's decks: makes their memory, frees it, and is the reader thread's and the control side's way to them.
///
/// A plan keeps the store until the audio thread has given the plan back. While a plan has it, the audio thread calls `pair`.
///
/// Unchecked: the audio thread alone calls `pair`; the reader thread alone calls what is under "The reader thread"; all else are atomics.
public final class DeckPairStore: @unchecked Sendable {
  /// The audio thread's side, which exists as long as this object.
  public let pair: UnsafeMutablePointer<DeckPair>
  private let decks: UnsafeMutablePointer<Deck>
  private let share: UnsafeMutablePointer<DeckHandover>
  private var rings: [RingStore?] = [nil, nil]
  /// The handle that was offered last and not taken back; 0 for none.
  private var offered = 0
  /// Structures with this store that plans still use.
  private let uses = Atomic<Int>(0)

  public init(channels: Int) {
    precondition(channels > 0, "a player has at least one channel")
    decks = .allocate(capacity: 2)
    for index in 0..<2 { (decks + index).initialize(to: Deck()) }
    share = .allocate(capacity: 1)
    share.initialize(to: DeckHandover())
    pair = .allocate(capacity: 1)
    pair.initialize(to: DeckPair(channelCount: channels, decks: decks, share: share))
  }

  deinit {
    for index in 0..<2 { decks[index].head.free() }
    share.pointee.patches.load(ordering: .acquiring)?.deallocate()
    pair.deinitialize(count: 1)
    pair.deallocate()
    share.deinitialize(count: 1)
    share.deallocate()
    decks.deinitialize(count: 2)
    decks.deallocate()
  }

  // MARK: Any thread

  public var channelCount: Int { pair.pointee.channelCount }
  /// The deck that sounds, or would; nil before the first one.
  package var current: (deck: Int, generation: Int)? {
    Self.parts(share.pointee.current.load(ordering: .acquiring))
  }
  /// Frames that were heard of a deck.
  package func heard(_ deck: Int) -> Int { decks[deck].heard.load(ordering: .acquiring) }
  /// Frames that were written to a deck.
  package func written(_ deck: Int) -> Int { decks[deck].written.load(ordering: .acquiring) }
  /// Whether the player sounds, or lacks frames.
  public var isSounding: Bool { share.pointee.isSounding.load(ordering: .acquiring) }
  /// The generation that played to its end; 0 for none.
  package var finished: Int { share.pointee.finished.load(ordering: .acquiring) }
  /// How often frames were missing.
  public var underruns: Int { share.pointee.underruns.load(ordering: .relaxed) }
  /// How often the audio thread gave up waiting for the disk in freewheel.
  public var timeouts: Int { share.pointee.timeouts.load(ordering: .relaxed) }
  /// The serial of the last order that took effect.
  package var obeyed: Int { share.pointee.obeyed.load(ordering: .acquiring) }
  /// Frames that lie ready behind what was heard of the present deck.
  package var ready: Int {
    guard let deck = current?.deck else { return 0 }
    return max(0, written(deck) - heard(deck))
  }

  private static func parts(_ handle: Int) -> (deck: Int, generation: Int)? {
    handle == 0 ? nil : (handle & 1, DeckHandover.generation(of: handle))
  }

  // MARK: The control side, before an order reaches a plan

  /// Makes the memory that the audio thread needs to start and stop.
  package func makePatches() {
    guard share.pointee.patches.load(ordering: .acquiring) == nil else { return }
    let made = Self.silence(channelCount * DeckPair.longestPiece)
    let (exchanged, _) = share.pointee.patches.compareExchange(
      expected: nil, desired: made, ordering: .acquiringAndReleasing)
    if !exchanged { made.deallocate() }
  }

  private static func silence(_ count: Int) -> UnsafeMutablePointer<Float> {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(1, count))
    memory.initialize(repeating: 0, count: max(1, count))
    return memory
  }

  // MARK: The reader thread

  /// Whether a deck is offered that the audio thread has not taken yet.
  package var isOffering: Bool { share.pointee.offer.load(ordering: .acquiring) != 0 }

  /// Takes back the deck that is offered. Afterwards none is, whether the audio thread took it before or not.
  package func takeBack() {
    if share.pointee.offer.exchange(0, ordering: .acquiringAndReleasing) != 0 { offered = 0 }
  }

  /// The deck that the audio thread does not touch; nil while it crossfades, while one is offered, or while the audio thread takes it.
  package var spare: Int? {
    guard offered == 0 || share.pointee.current.load(ordering: .acquiring) == offered else { return nil }
    guard let current else { return 0 }
    return share.pointee.isCrossing.load(ordering: .acquiring) ? nil : 1 - current.deck
  }

  /// Empties a spare deck and gives it a head of some frames; none frees its memory.
  package func reset(_ deck: Int, headRoom: Int) {
    dropRing(deck)
    decks[deck].head.reset(room: headRoom, channels: channelCount)
    decks[deck].written.store(0, ordering: .relaxed)
    decks[deck].heard.store(0, ordering: .relaxed)
    decks[deck].length.store(Deck.endless, ordering: .relaxed)
  }

  /// Gives a deck its ring, if it has none.
  package func makeRing(_ deck: Int, frames: Int) {
    guard rings[deck] == nil else { return }
    let store = RingStore(channels: channelCount, frames: frames)
    rings[deck] = store
    decks[deck].ring.store(store.ring, ordering: .releasing)
  }

  /// Frees the ring of a spare deck.
  package func dropRing(_ deck: Int) {
    decks[deck].ring.store(nil, ordering: .releasing)
    decks[deck].written.store(decks[deck].head.frames, ordering: .releasing)
    rings[deck] = nil
  }

  package func hasRing(_ deck: Int) -> Bool { rings[deck] != nil }

  /// Frames for which a deck has room: of its head before it is offered, else of its ring.
  package func room(_ deck: Int) -> Int { rings[deck]?.ring.pointee.room() ?? 0 }

  /// Writes the first frames of a spare deck. There is room for `headRoom` frames in all.
  package func writeHead(_ deck: Int, interleaved samples: UnsafePointer<Float>, frames: Int) {
    decks[deck].head.write(interleaved: samples, frames: frames)
    decks[deck].written.wrappingAdd(frames, ordering: .releasing)
  }

  /// Writes frames behind the head; there must be `room`, and at most 8,192 frames come at once.
  package func writeRing(_ deck: Int, interleaved samples: UnsafePointer<Float>, frames: Int) {
    guard let ring = rings[deck]?.ring else { return }
    for channel in 0..<channelCount {
      let place = ring.pointee.writePointer(channel: channel)
      for frame in 0..<frames { place[frame] = samples[frame * channelCount + channel] }
    }
    ring.pointee.endWriting(frames: frames)
    decks[deck].written.wrappingAdd(frames, ordering: .releasing)
  }

  /// Says that a deck's last frame is written.
  package func complete(_ deck: Int) { decks[deck].length.store(written(deck), ordering: .releasing) }

  package func isComplete(_ deck: Int) -> Bool {
    decks[deck].length.load(ordering: .acquiring) != Deck.endless
  }

  /// Offers a deck, whose head is written, to the audio thread.
  ///
  /// - Parameters:
  ///   - place: the frame of the present deck at which the offered one takes over; nil for the next period.
  ///   - fade: frames of the crossfade; see `DeckHandover.fade`.
  package func offer(_ deck: Int, generation: Int, at place: Int?, fade: Int) {
    share.pointee.place.store(place ?? DeckOrder.now, ordering: .relaxed)
    share.pointee.fade.store(fade, ordering: .relaxed)
    offered = DeckHandover.handle(generation: generation, deck: deck)
    share.pointee.offer.store(offered, ordering: .releasing)
  }

  // MARK: The engine

  /// Notes that a structure has this store, before a plan with that structure is published.
  package func beginUse() { uses.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// Notes that no plan with a structure is left. Without any structure the player falls silent, so that the reader has both decks, and a
  /// crossfade that was under way does not keep one for ever. When a plan has the store again, the newest order takes effect anew.
  package func endUse() {
    if uses.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { pair.pointee.settle() }
  }
}
