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
    left = nil
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

  /// Goes on after the present item could not be played: backwards, if `previous` has gone to it. Where nothing is before, the item that
  /// `previous` has left begins again.
  public mutating func fail() -> Step {
    failures += 1
    guard failures < Self.mostFailures else {
      (failures, left) = (0, nil)
      return .giveUp
    }
    guard let left else { return next() }
    if goBack() { return .play(entries[place].item) }
    guard let start = placeOf(left) else { return next() }
    self.left = nil
    shuffling.take(left)
    place = start
    plan()
    return .play(entries[place].item)
  }

  /// Notes that the present item is heard, so that earlier failures no longer count.
  public mutating func succeed() { (failures, left) = (0, nil) }

  /// Goes back: with shuffle to the item that was present before, otherwise to the one before in the queue, and with `RepeatMode.all` from the first to
  /// the last. Where nothing is before, the present item begins again.
  public mutating func previous() -> Step {
    guard !isEmpty else { return .end }
    let present = entries[place].number
    if goBack() { left = left ?? present }
    return .play(entries[place].item)
  }

  /// Goes to the item before; false if there is none.
  private mutating func goBack() -> Bool {
    if shuffleMode == .off {
      guard place > 0 || repeatMode == .all else { return false }
      place = place > 0 ? place - 1 : count - 1
    } else {
      guard let number = history.popLast(), let before = placeOf(number) else { return false }
      shuffling.giveBack(entries[place].number)
      place = before
    }
    return true
  }

  /// Goes to the item of an index.
  /// - Throws: `QueueError.noItem`.
  public mutating func go(to index: Int) throws(QueueError) -> Step {
    try check(index)
    if shuffleMode != .off, index != place {
      remember()
      shuffling.take(entries[index].number)
    }
    (place, failures, left) = (index, 0, nil)
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
