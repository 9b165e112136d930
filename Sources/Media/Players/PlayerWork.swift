import MediaKernel
import SoundFiles
import Synchronization

/// The reader thread's side of a player: makes a deck for each target of the player and fills it.
///
/// Unchecked: only the reader thread uses it.
final class PlayerWork: @unchecked Sendable {
  private let player: Player
  private let store: DeckPairStore
  private let shelf: Shelf
  private var fillers: [DeckFiller?] = [nil, nil]
  /// A deck whose head waits for an item that is being opened.
  private var starting: (filler: DeckFiller, place: Int?, fade: Int)?
  private var madeGeneration = 0
  private var itemsVersion = 0
  private var soundingItem: PlayerItem?
  private var finishedGeneration = 0
  private var (underruns, timeouts) = (0, 0)
  private var failedInRow = 0

  /// Seconds before the place at which a new deck takes over in the middle of an item.
  private static let lead = 0.1
  /// Seconds within which two places of an item sound alike.
  private static let near = 0.05
  /// Seconds of the crossfade to another rate.
  private static let rateFade = 0.02

  init(_ player: Player, _ opener: MediaOpener.Requests, wake: @escaping @Sendable () -> Void) {
    (self.player, store) = (player, player.store)
    shelf = Shelf(opener, wake: wake)
  }

  private var rate: Int { player.sampleRate }

  // MARK: A pass

  /// Does all but fill rings.
  ///
  /// - Returns: whether the next pass must not wait to be woken.
  func update(freewheels: Bool) -> Bool {
    let wish = player.wish.withLock { $0 }
    report(wish)
    guard wish.isPrepared else {
      release()
      return store.isSounding
    }
    if wish.generation != madeGeneration {
      madeGeneration = make(wish, freewheels: freewheels) ? wish.generation : madeGeneration
    } else if starting != nil {
      goOnStarting(wish)
    } else if wish.itemsVersion != itemsVersion {
      itemsVersion = wish.itemsVersion
      adopt(wish)
    }
    keepRings(wish)
    return wish.order.runs || store.isSounding || wish.generation != madeGeneration || starting != nil
      || store.isOffering
  }

  /// The deck that needs frames most, and for how many seconds it has some; nil if none needs any.
  var hungriest: (filler: DeckFiller, ready: Double)? {
    let hungry = fillers.compactMap { $0 }.filter { $0.wantsFrames && !$0.isWaiting }
    return hungry.map { ($0, $0.ready) }.min { $0.1 < $1.1 }
  }

  /// Fills one chunk of a deck.
  func fill(_ filler: DeckFiller) {
    let marks = filler.programme.marks.count
    filler.fill()
    tell(of: filler)
    if filler.programme.marks.count != marks { publish(filler) }
  }

  /// Lets decks that waited for an item try again.
  var waiting: [DeckFiller] { fillers.compactMap { $0 }.filter { $0.wantsFrames && $0.isWaiting } }

  private func publish(_ filler: DeckFiller) {
    let (track, deck, heard) = (filler.track, filler.deck, store.heard(filler.deck))
    player.wish.withLock { wish in
      wish.tracks[deck] = track
      wish.tracks[deck]?.forget(before: heard)
    }
  }

  // MARK: A deck for a target

  /// Makes a deck for the newest target and offers it. Returns false if it has to be tried again.
  private func make(_ wish: PlayerWish, freewheels: Bool) -> Bool {
    guard !wish.items.isEmpty else { return true }
    abandonStart()
    let target = target(wish, freewheels: freewheels)
    guard wish.items.indices.contains(target.index) else { return true }
    let item = wish.items[target.index]
    let reader: SoundFileReader
    switch shelf.take(item.path) {
    case .opening: return false
    case .failed(let error): return fail(item, error, wish)
    case .ready(let ready): reader = ready
    }
    store.takeBack()
    guard let deck = store.spare else {
      shelf.putBack(reader, item.path)
      return false
    }
    close(deck)
    let format = Programme.Format(
      channels: store.channelCount, rate: rate, crossfade: Int(wish.crossfade * Double(rate)))
    let frame = target.frame ?? Int((target.seconds * Double(reader.sampleRate)).rounded())
    let programme: Programme
    do throws(MediaError) {
      programme = try Programme(
        wish.items,
        at: Programme.Place(
          index: target.index, frame: frame, loopsDone: target.loopsDone, isBackward: wish.winding == .back),
        reader,
        format, shelf)
    } catch { return fail(item, error, wish) }
    failedInRow = 0
    store.reset(deck, headRoom: DeckFiller.headRoom(rate))
    let filler = DeckFiller(
      store, deck: deck, generation: wish.generation, programme, tempo: wish.tempo, rate: rate)
    fillers[deck] = filler
    itemsVersion = wish.itemsVersion
    starting = (filler, target.place, fade(to: filler, target))
    goOnStarting(wish)
    return true
  }

  /// Where a deck begins.
  private struct Start {
    var index: Int
    var seconds = 0.0
    /// The frame of the file, if it is known exactly.
    var frame: Int?
    var loopsDone = 0
    /// The frame of the present deck at which the new one takes over; nil for at once.
    var place: Int?
    /// Whether this is the end of the loop that is heard: what follows is joined, not faded.
    var isAtEnd = false
  }

  private func target(_ wish: PlayerWish, freewheels: Bool) -> Start {
    if case .place(let index, let seconds) = wish.target { return Start(index: index, seconds: seconds) }
    guard let deck = store.current?.deck, let track = wish.tracks[deck] else { return Start(index: 0) }
    let heard = store.heard(deck)
    guard let mark = track.mark(at: heard) else { return Start(index: 0) }
    var (place, isAtEnd) = (heard, false)
    if store.isSounding {
      // In freewheel the audio is at the end of the ring before the new deck is ready.
      place =
        freewheels
        ? store.written(deck) - DeckFiller.headRoom(rate) / 2 : heard + Int(Self.lead * Double(rate))
      // What lies behind the present loop may be no longer wanted, and is not faded into.
      let end = track.end(at: heard)
      place = max(heard, min(place, store.written(deck)))
      isAtEnd = place > end - player.fadeFrames
      if isAtEnd { place = end }
    }
    if track.tempo == 1, !isAtEnd {
      // A place that is a whole frame of the file, so that both decks sound alike.
      let step = rate / Voice.greatestCommonDivisor(rate, mark.fileRate)
      place = mark.frame + (place - mark.frame + step - 1) / step * step
    }
    let frame = mark.fileFrame(at: Double(place) * track.tempo, rate: rate).rounded()
    let index = wish.items.firstIndex { $0.id == mark.item.id } ?? 0
    return Start(
      index: index, frame: Int(frame), loopsDone: mark.loopsDone, place: store.isSounding ? place : nil,
      isAtEnd: isAtEnd)
  }

  /// The crossfade to a new deck: negative for unlike sounds.
  private func fade(to filler: DeckFiller, _ target: Start) -> Int {
    guard let current = store.current, let old = fillers[current.deck] else { return 0 }
    if target.isAtEnd, filler.tempo == 1, old.tempo == 1 { return 0 }
    if target.place != nil {
      return old.tempo == filler.tempo ? player.fadeFrames : Int(Self.rateFade * Double(rate))
    }
    let (track, heard) = (old.track, store.heard(current.deck))
    let isSame = track.mark(at: heard)?.item.id == filler.programme.marks.first?.item.id
    let isNear = isSame && abs(track.seconds(at: heard) - target.seconds) < Self.near
    return isNear ? player.fadeFrames : -player.fadeFrames
  }

  /// Fills the head of the deck that starts, and offers the deck.
  private func goOnStarting(_ wish: PlayerWish) {
    guard let (filler, place, fade) = starting else { return }
    let isReady = filler.fillHead()
    tell(of: filler)
    guard isReady else { return }
    starting = nil
    publish(filler)
    if wish.order.runs { store.makeRing(filler.deck, frames: DeckFiller.ringFrames(rate)) }
    store.offer(filler.deck, generation: filler.generation, at: place, fade: fade)
    player.wish.withLock { wish in
      (wish.madeGeneration, wish.madeMark) = (filler.generation, filler.programme.marks.first)
    }
    if filler.generation == wish.placeGeneration { player.tell(.prepared) }
  }

  private func abandonStart() {
    guard let filler = starting?.filler else { return }
    starting = nil
    close(filler.deck)
  }

  private func close(_ deck: Int) {
    fillers[deck]?.programme.close()
    fillers[deck] = nil
  }

  /// Reports an item that cannot be played, and goes on with the next one. Returns false: the target is tried again.
  private func fail(_ item: PlayerItem, _ error: MediaError, _ wish: PlayerWish) -> Bool {
    player.tell(.failed(item, error))
    failedInRow += 1
    let left = wish.items.filter { $0 != item }
    let next = wish.items.firstIndex(of: item) ?? 0
    let goesOn = next < left.count && failedInRow < 3
    player.wish.withLock { now in
      now.items.removeAll { $0 == item }
      if now.generation == wish.generation {
        now.send(to: .place(index: goesOn ? next : 0, seconds: 0))
        // With a new serial, or the audio thread would start as soon as something else can be played.
        if !goesOn { now.order = DeckOrder(serial: now.order.serial + 1) }
        if !goesOn || now.items.isEmpty { now.isPrepared = false }
      }
    }
    if !goesOn {
      failedInRow = 0
      player.tell(.gaveUp)
    }
    return true
  }

  // MARK: Items

  private func adopt(_ wish: PlayerWish) {
    guard let filler = fillers.first(where: { $0?.generation == madeGeneration }) ?? nil,
      let heard = filler.track.mark(at: store.heard(filler.deck))?.item
    else { return }
    if store.isComplete(filler.deck) || !filler.programme.adopt(wish.items, heard: heard) {
      player.wish.withLock { if $0.generation == wish.generation { $0.send(to: .here) } }
    }
  }

  private func tell(of filler: DeckFiller) {
    for (item, error, isDamage) in filler.programme.failures {
      player.tell(isDamage ? .damaged(item, error) : .failed(item, error))
      if !isDamage { player.wish.withLock { $0.items.removeAll { $0 == item } } }
    }
    filler.programme.failures = []
  }

  // MARK: Memory

  /// Gives rings to the decks that sound, and takes them from those that rest.
  private func keepRings(_ wish: PlayerWish) {
    let frames = DeckFiller.ringFrames(rate)
    if wish.order.runs {
      if let deck = store.current?.deck, fillers[deck] != nil { store.makeRing(deck, frames: frames) }
      return
    }
    guard wish.isStopped, !store.isSounding, store.obeyed == wish.order.serial, starting == nil,
      let current = store.current?.deck
    else { return }
    if let spare = store.spare, store.hasRing(spare) || fillers[spare] != nil {
      close(spare)
      store.reset(spare, headRoom: 0)
    }
    // A deck with a ring gives way to one that has a head alone.
    if store.hasRing(current), madeGeneration == wish.generation, !store.isOffering {
      player.wish.withLock { if $0.generation == wish.generation { $0.send(to: .here) } }
    }
  }

  /// Gives everything back, as soon as the audio thread is silent.
  private func release() {
    guard !store.isSounding else { return }
    abandonStart()
    store.takeBack()
    // Silent, it touches neither deck before it is offered another.
    for deck in 0..<2 {
      close(deck)
      store.reset(deck, headRoom: 0)
    }
    shelf.clear()
  }

  /// Closes all files. The audio thread may still read what is in the decks.
  func end() {
    for deck in 0..<2 { close(deck) }
    shelf.clear()
  }

  // MARK: Events

  private func report(_ wish: PlayerWish) {
    if store.underruns != underruns {
      underruns = store.underruns
      player.tell(.underrun(underruns))
    }
    if store.timeouts != timeouts {
      timeouts = store.timeouts
      player.tell(.timeout)
    }
    guard let current = store.current else { return }
    if store.isSounding || wish.order.runs, let track = wish.tracks[current.deck],
      let item = track.mark(at: store.heard(current.deck))?.item, item != soundingItem,
      current.generation >= wish.placeGeneration
    {
      soundingItem = item
      player.tell(.item(item))
    }
    let finished = store.finished
    guard finished != finishedGeneration else { return }
    finishedGeneration = finished
    guard finished == wish.generation, wish.order.runs else { return }
    // A short last item may have passed since the last look.
    if let last = wish.tracks[current.deck]?.marks.last?.item, last != soundingItem {
      player.tell(.item(last))
    }
    soundingItem = nil
    let gaveUp = fillers[current.deck]?.programme.hasGivenUp ?? false
    player.wish.withLock { now in
      guard now.generation == wish.generation, now.order == wish.order else { return }
      now.order.runs = false
      now.isStopped = true
      now.send(to: .place(index: 0, seconds: 0))
    }
    player.tell(gaveUp ? .gaveUp : .finished)
  }
}
