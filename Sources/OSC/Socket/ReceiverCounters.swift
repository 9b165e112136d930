import Synchronization

/// What a receiver has seen since it began; any thread may read it.
public final class ReceiverCounters: Sendable {
  private let packets = Atomic<Int>(0)
  private let strangers = Atomic<Int>(0)
  private let failures = Atomic<Int>(0)
  private let reasons = InlineArray<18, Atomic<Int>> { _ in Atomic(0) }

  init() {
    precondition(OSCDecodeError.allCases.count == reasons.count, "every reason needs a counter")
  }

  /// Datagrams that arrived, whatever became of them.
  public var received: Int { packets.load(ordering: .relaxed) }

  /// Datagrams of senders that were not admitted; they are not even parsed.
  public var refused: Int { strangers.load(ordering: .relaxed) }

  /// Errors of the socket itself.
  public var socketErrors: Int { failures.load(ordering: .relaxed) }

  /// Datagrams that did not parse, for all reasons together.
  public var dropped: Int { OSCDecodeError.allCases.reduce(0) { $0 + dropped($1) } }

  /// Datagrams that were dropped for one reason.
  public func dropped(_ reason: OSCDecodeError) -> Int {
    reasons[reason.rawValue].load(ordering: .relaxed)
  }

  func countPacket() { packets.add(1, ordering: .relaxed) }

  func countRefusal() { strangers.add(1, ordering: .relaxed) }

  func countSocketError() { failures.add(1, ordering: .relaxed) }

  func countDrop(_ reason: OSCDecodeError) { reasons[reason.rawValue].add(1, ordering: .relaxed) }
}
