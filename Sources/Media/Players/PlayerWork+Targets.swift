import MediaKernel
import SoundFiles
import Synchronization

/// Decks for targets.
extension PlayerWork {
  /// Seconds before the place at which a new deck takes over in the middle of an item.
  private static let lead = 0.1
  /// Seconds within which two places of an item sound alike.
  private static let near = 0.05
  /// Seconds of the crossfade to another rate.
  private static let rateFade = 0.02

  /// Makes a deck for the newest target and offers it. Returns false if it has to be tried again.
  func make(_ wish: PlayerWish, freewheels: Bool) -> Bool {
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
          index: target.index, frame: frame, loopsDone: target.loopsDone, isBackward: wish.winding == .back,
          crossfade: wish.winding == .back ? nil : target.crossfade),
        reader, format, shelf)
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
    /// The crossfade that goes on in the new deck.
    var crossfade: ProgrammeMark.Crossfade?
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
    var crossfade = mark.crossfade
    crossfade?.end -= Int(Double(place) * track.tempo)
    if crossfade?.end ?? 0 <= 0 { crossfade = nil }
    let index = wish.items.firstIndex { $0.id == mark.item.id } ?? 0
    return Start(
      index: index, frame: Int(frame), loopsDone: mark.loopsDone, crossfade: crossfade,
      place: store.isSounding ? place : nil, isAtEnd: isAtEnd)
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
  func goOnStarting(_ wish: PlayerWish) {
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
    report(player.wish.withLock { $0 })
    player.tell(.prepared)
  }

  func abandonStart() {
    guard let filler = starting?.filler else { return }
    starting = nil
    close(filler.deck)
  }

  func close(_ deck: Int) {
    fillers[deck]?.programme.close()
    fillers[deck] = nil
  }
}
