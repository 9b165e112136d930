import MediaKernel
import Synchronization

/// What the owner is told.
extension PlayerWork {
  /// Tells what is new, and sees to the end of the last item.
  func report(_ wish: PlayerWish) {
    for event in reports.events(of: player, wish) { player.tell(event) }
    finishIfEnded(wish)
  }

  private func finishIfEnded(_ wish: PlayerWish) {
    let finished = store.finished
    guard finished != finishedGeneration, let current = store.current else { return }
    finishedGeneration = finished
    guard finished == wish.generation, wish.order.runs else { return }
    // A short last item may have passed since the last look.
    if let last = wish.tracks[current.deck]?.marks.last?.item, last != reports.soundingItem {
      player.tell(.item(last))
    }
    let gaveUp = fillers[current.deck]?.programme.hasGivenUp ?? false
    player.wish.withLock { now in
      guard now.generation == wish.generation, now.order == wish.order else { return }
      now.order.runs = false
      now.isStopped = true
      now.send(to: .place(index: 0, seconds: 0))
    }
    reports.forgetItem()
    player.tell(gaveUp ? .gaveUp : .finished)
  }
}
