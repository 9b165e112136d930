extension PlayQueue {
  /// What the player does after a step of the queue.
  public enum Step: Equatable, Sendable {
    /// Plays this item from its beginning.
    case play(QueueItem)
    /// Stops. The present item is the first of the next round.
    case end
    /// Stops: `mostFailures` items in a row could not be played.
    case giveUp
  }

  /// Goes to the next item, as an operator does; `RepeatMode.one` does not hold it.
  public mutating func next() -> Step {
    guard let following else { return end() }
    if shuffleMode != .off {
      remember()
      shuffling.take(entries[following].number)
    }
    place = following
    plan()
    return .play(entries[place].item)
  }

  /// Goes on after the present item has ended.
  public mutating func finish() -> Step {
    failures = 0
    guard repeatMode == .one, let present else { return next() }
    return .play(present)
  }

  /// Goes on after the present item could not be played.
  public mutating func fail() -> Step {
    failures += 1
    guard failures < Self.mostFailures else {
      failures = 0
      return .giveUp
    }
    return next()
  }

  /// Notes that the present item is heard, so that earlier failures no longer count.
  public mutating func succeed() { failures = 0 }

  /// Goes back: with shuffle to the item that was present before, otherwise to the one before in the queue, and with `RepeatMode.all` from the first to
  /// the last. Where nothing is before, the present item begins again.
  public mutating func previous() -> Step {
    guard !isEmpty else { return .end }
    if shuffleMode == .off {
      place = place > 0 ? place - 1 : repeatMode == .all ? count - 1 : 0
    } else if let number = history.popLast(), let before = placeOf(number) {
      shuffling.giveBack(entries[place].number)
      place = before
    }
    return .play(entries[place].item)
  }

  /// Goes to the item of an index.
  /// - Throws: `QueueError.noItem`.
  public mutating func go(to index: Int) throws(QueueError) -> Step {
    try check(index)
    if shuffleMode != .off, index != place {
      remember()
      shuffling.take(entries[index].number)
    }
    place = index
    failures = 0
    plan()
    return .play(entries[place].item)
  }

  private mutating func remember() {
    history.append(entries[place].number)
    if history.count > Self.longestHistory { history.removeFirst() }
  }

  private mutating func end() -> Step {
    failures = 0
    guard !isEmpty else { return .end }
    if shuffleMode == .off {
      place = 0
    } else {
      history = []
      shuffling.begin(entries, after: nil, continuesAlbum: false)
      if let first = shuffling.next, let start = placeOf(first) {
        shuffling.take(first)
        place = start
      }
    }
    plan()
    return .end
  }
}
