import MediaKernel
public import SoundFiles
import Synchronization

/// What a player does, and where it is.
extension Player {
  /// Whether it was told to play and has not ended.
  public var isPlaying: Bool { wish.withLock { $0.order.runs } }
  /// Whether it starts at once.
  public var isPrepared: Bool {
    wish.withLock { $0.isPrepared && $0.madeGeneration == $0.generation && $0.generation > 0 }
  }
  /// Whether it was never started, or stopped.
  public var isStopped: Bool { wish.withLock { $0.isStopped } }
  /// Whether the player is on its way to a place: the last seek, or the first item of a new list, is not heard yet, and would not be.
  public var isSeeking: Bool {
    wish.withLock { wish in
      wish.isPrepared && wish.madeGeneration < wish.placeGeneration
        && store.current?.generation ?? 0 < wish.placeGeneration
    }
  }
  /// Seconds from the start of the present item to what is heard now; after a seek the seconds of the seek.
  public var position: Double { wish.withLock { seconds($0) } }
  /// The present item; nil if there is none.
  public var item: PlayerItem? { wish.withLock { presentItem($0) } }
  /// Length of the present item in seconds; nil if unknown, or not looked at yet.
  public var duration: Double? { wish.withLock { facts($0)?.facts.duration } }
  /// What the present item says about itself; nil as long as it is not looked at.
  public var tags: SoundTags? { wish.withLock { facts($0)?.facts.tags } }
  public var rate: Double { wish.withLock { $0.rate } }
  /// Seconds that lie ready behind what is heard.
  public var buffered: Double { Double(store.ready) / Double(sampleRate) }

  /// The target, while no deck for it sounds.
  func pending(_ wish: PlayerWish) -> (index: Int, seconds: Double)? {
    guard case .place(let index, let seconds) = wish.target,
      wish.placeGeneration > (store.current?.generation ?? 0) || !wish.isPrepared
    else { return nil }
    return (index, seconds)
  }

  /// Has a deck made for where the player is, or for the place that it is still to come to.
  func sendHere(_ wish: inout PlayerWish) {
    wish.send(to: pending(wish) == nil ? .here : wish.target)
  }

  /// The mark of what is heard now, or would be; nil before a deck is made, and while a seek is under way.
  func place(_ wish: PlayerWish) -> ProgrammeMark? {
    if wish.placeGeneration > (store.current?.generation ?? 0) {
      return wish.madeGeneration == wish.placeGeneration ? wish.madeMark : nil
    }
    guard let deck = store.current?.deck else { return nil }
    return wish.tracks[deck]?.mark(at: store.heard(deck))
  }

  /// What is known of the present item: by the deck that plays it, or else by its header.
  func facts(_ wish: PlayerWish) -> (item: PlayerItem, facts: ItemFacts)? {
    if let place = place(wish) { return (place.item, ItemFacts(duration: place.duration, tags: place.tags)) }
    guard let announced = wish.announced, announced.item == presentItem(wish) else { return nil }
    return announced
  }

  func presentItem(_ wish: PlayerWish) -> PlayerItem? {
    let index = index(wish)
    return wish.items.indices.contains(index) ? wish.items[index] : nil
  }

  func seconds(_ wish: PlayerWish) -> Double {
    if let pending = pending(wish) { return pending.seconds }
    guard let deck = store.current?.deck else { return 0 }
    return wish.tracks[deck]?.seconds(at: store.heard(deck)) ?? 0
  }

  func index(_ wish: PlayerWish) -> Int {
    if let pending = pending(wish) { return pending.index }
    guard let id = place(wish)?.item.id else { return 0 }
    return wish.items.firstIndex { $0.id == id } ?? 0
  }
}
