import Foundation

/// How long a test of random input runs: some rounds, or, in `make fuzz`, some seconds.
public struct FuzzBudget: Sequence, IteratorProtocol {
  private let rounds: Int
  private let end: Double?
  private var round = 0

  /// - Parameter rounds: the number of rounds, unless `MULTIROUTE_FUZZ_SECONDS` gives the seconds.
  public init(rounds: Int) {
    self.rounds = rounds
    end = Self.number("MULTIROUTE_FUZZ_SECONDS").map { ProcessInfo.processInfo.systemUptime + $0 }
  }

  /// The number of the next round, from 0; nil at the end. There is always a first round.
  public mutating func next() -> Int? {
    defer { round += 1 }
    guard let end else { return round < rounds ? round : nil }
    return round == 0 || ProcessInfo.processInfo.systemUptime < end ? round : nil
  }

  /// A seed for one of several cases of a test: always the same, except in `make fuzz`, which prints `MULTIROUTE_FUZZ_SEED`.
  public static func seed(_ number: Int) -> UInt64 {
    UInt64(Self.number("MULTIROUTE_FUZZ_SEED") ?? 0) &* 1_000_003 &+ UInt64(number)
  }

  private static func number(_ variable: String) -> Double? {
    ProcessInfo.processInfo.environment[variable].flatMap { Double($0) }
  }
}
