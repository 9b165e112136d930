import MediaKernel
import Synchronization

/// Rings, heads and open files: which decks have some.
extension PlayerWork {
  /// Gives rings to the decks that sound, and takes them from those that rest.
  func keepRings(_ wish: PlayerWish) {
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
  func release() {
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
}
