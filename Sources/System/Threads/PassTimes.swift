import Synchronization

/// How often a thread has worked, and how long all passes took together.
public struct PassTimes: Equatable, Sendable {
  public var count: Int
  public var seconds: Double

  public init(count: Int = 0, seconds: Double = 0) { (self.count, self.seconds) = (count, seconds) }

  public static func + (left: PassTimes, right: PassTimes) -> PassTimes {
    PassTimes(count: left.count + right.count, seconds: left.seconds + right.seconds)
  }
}

/// Counts the passes of one thread. That thread notes them; any thread may read them.
final class PassClock: Sendable {
  private let count = Atomic<Int>(0)
  private let nanoseconds = Atomic<Int>(0)
  private let longest = Atomic<Int>(0)

  func note(seconds: Double) {
    let time = Int(seconds * 1e9)
    count.add(1, ordering: .relaxed)
    nanoseconds.add(time, ordering: .relaxed)
    longest.max(time, ordering: .relaxed)
  }

  var times: PassTimes {
    PassTimes(
      count: count.load(ordering: .relaxed), seconds: Double(nanoseconds.load(ordering: .relaxed)) * 1e-9)
  }

  /// Seconds of the longest pass since the last call.
  func takeLongest() -> Double { Double(longest.exchange(0, ordering: .relaxed)) * 1e-9 }
}
