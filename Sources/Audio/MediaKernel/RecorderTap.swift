internal import CRealtime
internal import Rings
internal import Synchronization

/// The audio thread's side of a recorder, or of an output's meters: frames go into a ring, and marks say which of them are recorded.
///
/// Each period calls `begin`, writes each channel to `samples`, and calls `end`. Nothing here waits, except in freewheel, where the audio must
/// wait for the disk. If the ring is full, whole periods are left out, and a mark says where and how many frames.
public struct RecorderTap: ~Copyable {
  public let channelCount: Int
  package let share: UnsafeMutablePointer<TapHandover>

  // MARK: The audio thread's own

  private var order = TapOrder()
  /// Frames that were left out since the last mark.
  private var gap = 0
  private var period = 0
  private var hasGivenUp = false

  /// Naps in freewheel before the audio goes on without the disk: 5 s.
  private static var patience: Int { @_noLocks get { 100_000 } }

  package init(channelCount: Int, share: UnsafeMutablePointer<TapHandover>) {
    (self.channelCount, self.share) = (channelCount, share)
  }

  /// Begins a period.
  ///
  /// - Parameters:
  ///   - order: the newest order for this recorder; the same one in every period until there is another. One that is older than the last one
  ///     changes nothing.
  ///   - frames: length of the period, at most 8,192.
  ///   - time: the frame at which the period begins, in a count that never jumps while an order waits for its time.
  ///   - waits: whether to wait for the disk, at most 5 s: in freewheel alone.
  @_noLocks
  public mutating func begin(_ newest: TapOrder, frames: Int, time: Int, waits: Bool) {
    period = 0
    let isNew = newest.serial > self.order.serial
    let order = isNew ? newest : self.order
    let turn = !isNew ? frames : order.time <= time ? 0 : order.time &- time
    guard order.listens || order.records || self.order.records || gap > 0,
      let ring = share.pointee.ring.load(ordering: .acquiring)
    else {
      if turn < frames { obey(order) }
      return
    }
    if waits { waitForRoom(frames) }
    let place = ring.pointee.framesWritten()
    if frames <= ring.pointee.room(), frames <= SampleRing.longestPiece {
      if gap > 0, share.pointee.push(TapMark(.gap, place: place, number: gap)) { gap = 0 }
      if gap == 0 { period = frames }
    }
    if period == 0, self.order.records || (turn < frames && order.records) {
      share.pointee.lost.wrappingAdd(frames, ordering: .relaxed)
    }
    if turn < frames {
      if period == 0 { gap &+= turn }
      markTurn(to: order, place: period == 0 ? place : place &+ turn, time: time &+ turn)
      if period == 0 { gap &+= frames &- turn }
    } else if period == 0 {
      gap &+= frames
    }
  }

  /// Where a channel's frames of this period go; nil if they go nowhere. Every channel must be written.
  @_noLocks
  public func samples(_ channel: Int) -> UnsafeMutablePointer<Float>? {
    guard period > 0, let ring = share.pointee.ring.load(ordering: .acquiring) else { return nil }
    return ring.pointee.writePointer(channel: channel)
  }

  /// Ends the period: the writer may take its frames.
  @_noLocks
  public func end() {
    guard period > 0, let ring = share.pointee.ring.load(ordering: .acquiring) else { return }
    ring.pointee.endWriting(frames: period)
  }

  @_noLocks
  private mutating func obey(_ order: TapOrder) {
    self.order = order
    share.pointee.obeyed.store(order.serial, ordering: .releasing)
  }

  /// Takes an order, and marks where the recording begins or ends.
  @_noLocks
  private mutating func markTurn(to order: TapOrder, place: Int, time: Int) {
    if order.records != self.order.records {
      // Frames that were left out before the turn lie before it.
      if gap > 0, share.pointee.push(TapMark(.gap, place: place, number: gap)) { gap = 0 }
      let mark = TapMark(order.records ? .begin : .end, place: place, number: time)
      // With a full list of marks, the order is tried again in the next period.
      guard share.pointee.push(mark) else { return }
    }
    obey(order)
  }

  @_noLocks
  private mutating func waitForRoom(_ frames: Int) {
    guard let ring = share.pointee.ring.load(ordering: .acquiring) else { return }
    if ring.pointee.room() >= frames { return hasGivenUp = false }
    if hasGivenUp { return }
    for _ in 0..<Self.patience {
      mr_freewheel_nap()
      if ring.pointee.room() >= frames { return }
    }
    hasGivenUp = true
  }
}
