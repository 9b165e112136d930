import OSC
import SessionModel

/// The latest events, for clients that missed some.
struct EventRing: Sendable {
  private var ring: [NumberedNotification] = []
  private var last: Int32 = 0

  /// Greatest number of kept events.
  static let capacity = 1_000

  /// Keeps an event.
  mutating func append(_ event: NumberedNotification) {
    last = event.serial
    ring.append(event)
    // Removes old events in large steps, because removal at the front costs time.
    if ring.count >= 2 * Self.capacity { ring.removeFirst(ring.count - Self.capacity) }
  }

  /// The events after a serial number. If one of them is no longer kept, or the number is unknown, the result is `/event/lost`
  /// with the first and last number that are kept.
  func since(_ serial: Double) -> [OSCMessage] {
    let kept = ring.suffix(Self.capacity)
    let first = last - Int32(kept.count) + 1
    guard serial >= Double(first) - 1, serial <= Double(last) else {
      return [OSCMessage("/event/lost", .int32(first), .int32(last))]
    }
    return kept.dropFirst(Int(serial) + 1 - Int(first)).map { OSCMessage($0) }
  }
}
