import Synchronization

/// The counters of a receiver since its start. Any thread may read them.
public final class ReceiverCounters: Sendable {
  private let packets = Atomic<Int>(0)
  private let strangers = Atomic<Int>(0)
  private let failures = Atomic<Int>(0)
  private let reasons = InlineArray<19, Atomic<Int>> { _ in Atomic(0) }

  init() {
    precondition(OSCDecodeError.allCases.count == reasons.count, "every reason needs a counter")
  }

  /// Number of all datagrams or frames that arrived, including refused and dropped ones.
  public var received: Int { packets.load(ordering: .relaxed) }

  /// Number of datagrams of senders that are not accepted, and of connections that were closed at once. The receiver does not decode them.
  public var refused: Int { strangers.load(ordering: .relaxed) }

  /// Number of failed calls of the socket.
  public var socketErrors: Int { failures.load(ordering: .relaxed) }

  /// Number of datagrams that could not be decoded, for all reasons together.
  public var dropped: Int { OSCDecodeError.allCases.reduce(0) { $0 + dropped($1) } }

  /// Number of datagrams that could not be decoded for one reason.
  public func dropped(_ reason: OSCDecodeError) -> Int {
    reasons[reason.rawValue].load(ordering: .relaxed)
  }

  func countPacket() { packets.add(1, ordering: .relaxed) }

  func countRefusal() { strangers.add(1, ordering: .relaxed) }

  func countSocketError() { failures.add(1, ordering: .relaxed) }

  func countDrop(_ reason: OSCDecodeError) { reasons[reason.rawValue].add(1, ordering: .relaxed) }
}
