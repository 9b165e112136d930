import Synchronization

/// A bounded queue of small events. Any thread may fill it without waiting; one thread empties it.
///
/// A writer claims a slot with one compare-and-exchange and publishes it with the slot's own turn counter. So
/// a writer on the audio thread, such as PipeWire's xrun, never waits for one on the notification thread. A
/// full queue drops the event and `takeOverflow` reports it; the reader then reads everything again.
struct NoticeRing: ~Copyable {
  /// Bytes of text that an event can carry; longer text is cut.
  private static var textSize: Int { @_noLocks get { 112 } }

  /// The kind of an event.
  enum Kind: Sendable {
    case portRegistered, portUnregistered, portRenamed, connected, disconnected, latencies, xrun
    case period, rate, freewheel, shutdown
    /// A line of libjack's log.
    case error, information
  }

  struct Slot: ~Copyable {
    let turn: Atomic<Int>
    var kind = Kind.xrun
    var value: UInt32 = 0
    var second: UInt32 = 0
    var textLength = 0
    var text = InlineArray<112, UInt8>(repeating: 0)
    init(turn: Int) { self.turn = Atomic(turn) }
  }

  private let slots: UnsafeMutablePointer<Slot>
  private let mask: Int
  private let tail = Atomic<Int>(0)
  private let overflow = Atomic<Bool>(false)
  /// Used by the reader only.
  private var head = 0

  /// Makes a ring of `capacity` events, a power of two.
  init(capacity: Int) {
    precondition(capacity > 0 && capacity & (capacity - 1) == 0)
    slots = .allocate(capacity: capacity)
    for index in 0..<capacity { (slots + index).initialize(to: Slot(turn: index)) }
    mask = capacity - 1
  }

  deinit {
    slots.deinitialize(count: mask + 1)
    slots.deallocate()
  }

  /// Queues an event; any thread.
  /// - Parameter second: the second value, of events that have two: a connection has the numbers of its source and its sink.
  @_noLocks func post(kind: Kind, value: UInt32, _ second: UInt32 = 0, text: UnsafePointer<CChar>? = nil) {
    var position = tail.load(ordering: .relaxed)
    while true {
      let slot = slots + (position & mask)
      let distance = slot.pointee.turn.load(ordering: .acquiring) - position
      if distance < 0 {
        overflow.store(true, ordering: .releasing)
        return
      }
      if distance > 0 {
        position = tail.load(ordering: .relaxed)
        continue
      }
      let claim = tail.compareExchange(
        expected: position, desired: position + 1, ordering: .relaxed)
      guard claim.exchanged else {
        position = claim.original
        continue
      }
      slot.pointee.kind = kind
      (slot.pointee.value, slot.pointee.second) = (value, second)
      slot.pointee.textLength = Self.copy(text, to: slot)
      slot.pointee.turn.store(position + 1, ordering: .releasing)
      return
    }
  }

  @_noLocks private static func copy(
    _ text: UnsafePointer<CChar>?, to slot: UnsafeMutablePointer<Slot>
  ) -> Int {
    guard let text else { return 0 }
    var length = 0
    while length < textSize, text[length] != 0 {
      slot.pointee.text[length] = UInt8(bitPattern: text[length])
      length += 1
    }
    return length
  }

  /// Takes the oldest event; the reader's thread only.
  mutating func take() -> (kind: Kind, value: UInt32, second: UInt32, text: String)? {
    let slot = slots + (head & mask)
    guard slot.pointee.turn.load(ordering: .acquiring) == head + 1 else { return nil }
    let bytes = (0..<slot.pointee.textLength).map { slot.pointee.text[$0] }
    let event = (
      slot.pointee.kind, slot.pointee.value, slot.pointee.second, String(decoding: bytes, as: UTF8.self)
    )
    slot.pointee.turn.store(head + mask + 1, ordering: .releasing)
    head += 1
    return event
  }

  /// Whether events were dropped since the last call.
  func takeOverflow() -> Bool { overflow.exchange(false, ordering: .acquiring) }
}
