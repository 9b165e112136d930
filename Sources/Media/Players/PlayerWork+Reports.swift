import MediaKernel
import Synchronization

/// What the owner is told.
extension PlayerWork {
  /// Tells what is new, and sees to the end of the last item.
  func report(_ wish: PlayerWish) {
    for event in reports.events(of: player, wish) { player.tell(event) }
    finishIfEnded(wish)
  }

  /// Ends the order whose sound has ended, also if another speed, list or place came too late for it: the audio thread is silent until the next order.
  private func finishIfEnded(_ wish: PlayerWish) {
    let finished = store.finished
    guard wish.order.runs, finished >= wish.order.generation, let current = store.current else { return }
    let hasEnded = player.wish.withLock { now in
      guard now.order == wish.order else { return false }
      now.order.runs = false
      now.isStopped = true
      if finished >= now.placeGeneration { now.send(to: .place(index: 0, seconds: 0)) }
      return true
    }
    guard hasEnded else { return }
    // A short last item may have passed since the last look.
    if current.generation == finished, let last = wish.tracks[current.deck]?.marks.last?.item,
      last != reports.soundingItem
    {
      player.tell(.item(last))
    }
    reports.forgetItem()
    let gaveUp = fillers[current.deck]?.programme.hasGivenUp ?? false
    player.tell(gaveUp ? .gaveUp : .finished)
  }
}
