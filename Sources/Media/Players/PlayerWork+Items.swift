import MediaKernel
import SoundFiles
import Synchronization

/// Changes of the list of items: by the owner, and by files that cannot be played.
extension PlayerWork {
  func adopt(_ wish: PlayerWish) {
    guard let filler = fillers.first(where: { $0?.generation == madeGeneration }) ?? nil,
      let heard = filler.track.mark(at: store.heard(filler.deck))?.item
    else { return }
    if !filler.programme.adopt(wish.items, heard: heard) {
      player.wish.withLock { [player] now in
        if now.generation == wish.generation { player.sendHere(&now) }
      }
    }
  }

  func tell(of filler: DeckFiller) {
    for (item, error, isDamage) in filler.programme.failures {
      player.tell(isDamage ? .damaged(item, error) : .failed(item, error))
      if !isDamage { player.wish.withLock { $0.items.removeAll { $0 == item } } }
    }
    filler.programme.failures = []
  }

  /// Reports an item that cannot be played, and goes on with the next one. Returns false: the target is tried again.
  func fail(_ item: PlayerItem, _ error: MediaError, _ wish: PlayerWish) -> Bool {
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
}
