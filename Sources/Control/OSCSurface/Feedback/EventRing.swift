import ControlInterface
import OSC
import SessionModel

/// The latest events, for clients that missed some.
struct EventRing: Sendable {
  private var ring: [EventRecord] = []
  private var last: Int32 = 0

  /// Greatest number of kept events.
  static let capacity = 1_000

  /// Keeps an event.
  mutating func append(_ record: EventRecord) {
    last = record.event.serial
    ring.append(record)
    // Removes old events in large steps, because removal at the front costs time.
    if ring.count >= 2 * Self.capacity { ring.removeFirst(ring.count - Self.capacity) }
  }

  /// The events after a serial number. If one of them is no longer kept, or the number is unknown, the result is `/event/lost`
  /// with the first and last number that are kept.
  func since(_ serial: Double) -> [OSCMessage] {
    guard let records = records(since: serial) else { return [lost] }
    return records.map { OSCMessage($0.event) }
  }

  /// The lines of at most `mostLines` events after a serial number, each with its serial number, as the events file has them. If one of
  /// the events is no longer kept, or the number is unknown, the result is `/event/lost`.
  func lines(_ address: String, since serial: Double) -> [OSCMessage] {
    guard let records = records(since: serial)?.prefix(Self.mostLines) else { return [lost] }
    return Surface.rows(address, records.map { [.int32($0.event.serial), .string($0.line)] })
  }

  /// Greatest number of lines in one answer, so that all of them reach a client that reads.
  static let mostLines = 50

  private var kept: ArraySlice<EventRecord> { ring.suffix(Self.capacity) }
  private var first: Int32 { last - Int32(kept.count) + 1 }
  private var lost: OSCMessage { OSCMessage("/event/lost", .int32(first), .int32(last)) }

  private func records(since serial: Double) -> ArraySlice<EventRecord>? {
    guard serial >= Double(first) - 1, serial <= Double(last) else { return nil }
    return kept.dropFirst(Int(serial) + 1 - Int(first))
  }
}
