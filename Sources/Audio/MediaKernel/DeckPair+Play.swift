internal import CRealtime
internal import Synchronization

/// Periods in which a player starts, stops, changes decks or lacks frames: they are put together in the patches.
extension DeckPair {
  /// Puts a period together, piece by piece. A piece ends where anything changes.
  @inline(never) @_noLocks
  mutating func play(_ order: DeckOrder, turn: Int, frames: Int, waits: Bool) {
    guard let patches = share.pointee.patches.load(ordering: .acquiring) else { return source = .silence }
    source = .patch
    if waits { waitForDisk(frames: frames, turns: turn < frames ? order : self.order) }
    // An order counts once: a deck that is at its end already gives no frame, so that the loop comes here again.
    var (done, isObeyed) = (0, false)
    while done < frames {
      if done == turn, !isObeyed {
        obey(order)
        isObeyed = true
      }
      accept()
      let rest = (turn > done ? min(frames, turn) : frames) &- done
      done &+= sound(patches + done, frames: rest)
    }
    if turn == frames { accept() }
  }

  /// Takes an order.
  @_noLocks
  private mutating func obey(_ order: DeckOrder) {
    (self.order, isSettled) = (order, false)
    share.pointee.obeyed.store(order.serial, ordering: .releasing)
    if order.runs {
      if phase == .sounding {
        // It fades out, and turns around.
        if fade.length > 0, !fade.rises, fadesToSilence { fade = fade.turned(length: max(1, order.fade)) }
      } else {
        isDue = true
        startIfDue()
      }
      return
    }
    isDue = false
    if phase == .starving { phase = .silent }
    guard phase == .sounding else { return }
    guard order.fade > 0 else { return stop() }
    // A fade down that has begun goes on.
    if fade.length == 0 {
      fade = DeckFade(rises: false, length: order.fade)
    } else if fade.rises {
      fade = fade.turned(length: order.fade)
    }
    fadesToSilence = true
  }

  /// Starts to sound, if an order says so and the deck that it needs is there.
  @_noLocks
  private mutating func startIfDue() {
    guard isDue, main >= 0,
      DeckHandover.generation(of: share.pointee.current.load(ordering: .relaxed)) >= order.generation
    else {
      return
    }
    isDue = false
    phase = .sounding
    fade = DeckFade(rises: true, length: order.fade)
  }

  @_noLocks
  private mutating func stop() {
    (phase, fade, leaving) = (.silent, DeckFade(), -1)
    share.pointee.isCrossing.store(false, ordering: .releasing)
  }

  /// Whether the offered deck is late by more than it has so far, and the present one can go on meanwhile.
  @_noLocks
  private func isTooEarly(_ here: Int) -> Bool {
    let turn = share.pointee.place.load(ordering: .relaxed)
    guard phase == .sounding, turn != DeckOrder.now, decks[main].available(from: here) > Self.brink else {
      return false
    }
    let offered = share.pointee.offer.load(ordering: .relaxed) & 1
    return !decks[offered].isComplete() && here &- turn > decks[offered].available(from: 0)
  }

  /// Takes the offered deck, if there is one and its place has come.
  @_noLocks
  private mutating func accept() {
    guard leaving < 0, share.pointee.offer.load(ordering: .acquiring) != 0 else { return }
    let here = main < 0 ? 0 : place(main)
    // In silence, in an underrun and at the end there is nothing to wait for.
    if phase == .sounding, share.pointee.place.load(ordering: .relaxed) > here,
      here < decks[main].length.load(ordering: .acquiring)
    {
      return
    }
    if isTooEarly(here) { return }
    // The reader may take the offer back at any time before.
    let handle = share.pointee.offer.exchange(0, ordering: .acquiringAndReleasing)
    guard handle != 0 else { return }
    let (deck, place) = (handle & 1, share.pointee.place.load(ordering: .relaxed))
    if place != DeckOrder.now, main >= 0, here > place {
      // Late: the new deck goes on where it would be now, which may be its end.
      let (late, there) = (here &- place, decks[deck].available(from: 0))
      if late < there || decks[deck].isComplete() { take(deck, min(late, there)) }
    }
    var length = share.pointee.fade.load(ordering: .relaxed)
    // A join that comes late has to be faded.
    if length == 0, place != DeckOrder.now, here > place { length = Self.brink }
    if main >= 0 { length = bounded(length, from: here) }
    if phase == .sounding, length != 0 {
      leaving = main
      cross = DeckFade(rises: true, length: length < 0 ? 0 &- length : length)
      crossKeepsPower = length < 0
      share.pointee.isCrossing.store(true, ordering: .releasing)
    } else if phase == .starving {
      phase = .sounding
      fade = DeckFade(rises: true, length: Self.brink)
    }
    main = deck
    share.pointee.current.store(handle, ordering: .releasing)
    startIfDue()
  }

  /// A crossfade of at most the frames that the present deck still has, so that its sound ends with the crossfade and not within it.
  @_noLocks
  private func bounded(_ length: Int, from here: Int) -> Int {
    let left = decks[main].available(from: here)
    guard left > 0 else { return length }
    return length < 0 ? max(length, 0 &- left) : min(length, left)
  }

  /// Sounds at most `frames` frames. Returns how many.
  @_noLocks
  private mutating func sound(_ patch: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    if phase == .sounding { return sounding(patch, frames: frames) }
    if phase == .starving, decks[main].isRefilled(from: place(main)) {
      phase = .sounding
      fade = DeckFade(rises: true, length: Self.brink)
      return 0
    }
    return silence(patch, frames: frames)
  }

  @_noLocks
  private mutating func sounding(_ patch: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    let here = place(main)
    let there = decks[main].available(from: here)
    if fade.length > 0, fade.isOver() || (there == 0 && !fade.rises) {
      let (rose, stops) = (fade.rises, fadesToSilence)
      fade = DeckFade()
      if rose { return 0 }
      if stops { stop() } else { starve() }
      return 0
    }
    var count = min(frames, there)
    if decks[main].isComplete() {
      if there == 0 {
        if leaving >= 0 { return fadeOutLeaving(patch, frames: frames) }
        share.pointee.finished.store(
          DeckHandover.generation(of: share.pointee.current.load(ordering: .relaxed)), ordering: .releasing)
        stop()
        return 0
      }
    } else if there < frames &+ Self.brink, fade.length == 0 || fade.rises {
      // The last frames fade out.
      let tail = min(there, Self.brink)
      count = min(frames, there &- tail)
      if count == 0 {
        if there == 0 { starve() } else { fade = DeckFade(rises: false, length: tail) }
        fadesToSilence = false
        return 0
      }
    }
    if fade.length > 0 { count = min(count, fade.length &- fade.done) }
    if leaving >= 0 { count = min(count, cross.length &- cross.done) }
    if share.pointee.offer.load(ordering: .acquiring) != 0 {
      let turn = share.pointee.place.load(ordering: .relaxed)
      if turn > here { count = min(count, turn &- here) }
    }
    count = decks[main].piece(from: here, frames: count)
    for channel in 0..<channelCount {
      put(channel, from: here, into: patch + channel &* Self.longestPiece, frames: count)
    }
    take(main, count)
    if leaving >= 0 { goOnCrossing(count) }
    if fade.length > 0 { fade.done &+= count }
    return count
  }

  /// Goes on with a crossfade to a deck that has ended. Returns the number of frames.
  @_noLocks
  private mutating func fadeOutLeaving(_ patch: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    var count = min(frames, max(0, cross.length &- cross.done))
    if fade.length > 0 { count = min(count, fade.length &- fade.done) }
    _ = silence(patch, frames: count)
    for channel in 0..<channelCount {
      let first = patch + channel &* Self.longestPiece
      blend(channel, into: first, frames: count)
      if fade.length > 0 { fade.apply(first, count: count) }
    }
    goOnCrossing(count)
    if fade.length > 0 { fade.done &+= count }
    return count
  }

  @_noLocks
  private mutating func starve() {
    (phase, fade, leaving) = (.starving, DeckFade(), -1)
    share.pointee.isCrossing.store(false, ordering: .releasing)
    share.pointee.underruns.wrappingAdd(1, ordering: .relaxed)
  }

  @_noLocks
  private mutating func goOnCrossing(_ frames: Int) {
    take(leaving, min(frames, max(0, decks[leaving].available(from: place(leaving)))))
    cross.done &+= frames
    guard cross.isOver() else { return }
    leaving = -1
    share.pointee.isCrossing.store(false, ordering: .releasing)
  }

  /// Writes a channel's frames with the fades in force.
  @_noLocks
  private func put(_ channel: Int, from here: Int, into patch: UnsafeMutablePointer<Float>, frames: Int) {
    if let samples = decks[main].samples(channel, from: here) {
      for index in 0..<frames { patch[index] = samples[index] }
    } else {
      for index in 0..<frames { patch[index] = 0 }
    }
    if leaving >= 0 { blend(channel, into: patch, frames: frames) }
    if fade.length > 0 { fade.apply(patch, count: frames) }
  }

  /// Crossfades with the deck that leaves. Equal sounds stay the same to the bit where the amplitude is kept.
  @_noLocks
  private func blend(_ channel: Int, into patch: UnsafeMutablePointer<Float>, frames: Int) {
    let there = place(leaving)
    let count = max(0, min(frames, decks[leaving].available(from: there)))
    let whole = decks[leaving].piece(from: there, frames: count)
    blend(decks[leaving].samples(channel, from: there), into: patch, from: 0, to: whole)
    blend(decks[leaving].samples(channel, from: there &+ whole), into: patch, from: whole, to: count)
    blend(nil, into: patch, from: count, to: frames)
  }

  /// Crossfades a piece of the patch with samples, the first of which is that for `from`, or with silence.
  @_noLocks
  private func blend(
    _ old: UnsafePointer<Float>?, into patch: UnsafeMutablePointer<Float>, from: Int, to end: Int
  ) {
    guard from < end else { return }
    let step = 1 / Float(cross.length)
    for index in from..<end {
      var before: Float = 0
      if let old { before = old[index &- from] }
      let risen = Float(cross.done &+ index) * step
      if crossKeepsPower {
        // 1 - (1 - x)^2 keeps the power of unlike sounds within 0.5 dB, and needs no root.
        patch[index] = patch[index] * (risen * (2 - risen)) + before * (1 - risen * risen)
      } else {
        patch[index] = before + (patch[index] - before) * risen
      }
    }
  }

  @_noLocks
  private func silence(_ patch: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    for channel in 0..<channelCount {
      let first = patch + channel &* Self.longestPiece
      for index in 0..<frames { first[index] = 0 }
    }
    return frames
  }

  // MARK: Freewheel

  /// Waits for the frames of a period, at most 5 s.
  @_noLocks
  private mutating func waitForDisk(frames: Int, turns order: DeckOrder) {
    if isReady(frames, order) { return hasGivenUp = false }
    if hasGivenUp { return }
    for _ in 0..<Self.patience {
      mr_freewheel_nap()
      if isReady(frames, order) { return }
    }
    hasGivenUp = true
    share.pointee.timeouts.wrappingAdd(1, ordering: .relaxed)
  }

  @_noLocks
  private func isReady(_ frames: Int, _ order: DeckOrder) -> Bool {
    guard order.runs, phase != .silent || isDue || order.serial != self.order.serial else { return true }
    let offered = share.pointee.offer.load(ordering: .acquiring)
    let newest = offered == 0 ? share.pointee.current.load(ordering: .relaxed) : offered
    guard newest != 0, DeckHandover.generation(of: newest) >= order.generation else { return false }
    // An offered deck has its head. Where it takes over, the present one must reach to the end of the crossfade.
    if offered != 0, main >= 0, share.pointee.place.load(ordering: .relaxed) <= place(main) &+ frames {
      let crossfade = abs(share.pointee.fade.load(ordering: .relaxed))
      return phase != .sounding || decks[main].isComplete()
        || decks[main].available(from: place(main)) >= frames &+ crossfade
    }
    let deck = main < 0 || phase == .silent ? newest & 1 : main
    let from = deck == main ? place(main) : 0
    if phase == .starving, deck == main { return decks[deck].isRefilled(from: from) }
    return decks[deck].isComplete()
      || decks[deck].available(from: from) >= frames &+ Self.brink
  }
}
