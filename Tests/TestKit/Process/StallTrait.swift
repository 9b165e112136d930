import Synchronization
public import Testing

/// Repeats a test that failed while the machine stood still: what is heard in real time then says nothing about the router.
///
/// A test that fails on a machine that runs fails at once, and so does one during which a child crashed; one that fails every
/// time fails.
public struct StallTrait: TestTrait, SuiteTrait, TestScoping {
  private static let attempts = 5
  /// Seconds that all repetitions together may take.
  private static let patience = 180.0
  private static let spent = Mutex(0.0)

  public let isRecursive = true

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let watch = MachineWatch.shared
    for attempt in 1...Self.attempts {
      let (start, stalls) = (ContinuousClock.now, watch.stalls)
      let crashes = ChildEnd.crashes.load(ordering: .acquiring)
      let mayRepeat = attempt < Self.attempts && Self.spent.withLock { $0 < Self.patience }
      let isRepeated = Atomic(false)
      try await withKnownIssue("repeated: the machine stood still", isIntermittent: true) {
        try await function()
      } matching: { _ in
        guard mayRepeat, watch.stalls > stalls,
          ChildEnd.crashes.load(ordering: .acquiring) == crashes
        else { return false }
        isRepeated.store(true, ordering: .releasing)
        return true
      }
      guard isRepeated.load(ordering: .acquiring) else { return }
      try await calm(watch)
      Self.spent.withLock { $0 += (ContinuousClock.now - start) / .seconds(1) }
    }
  }

  /// Waits until the machine has run for two seconds, or for a quarter of a minute.
  private func calm(_ watch: MachineWatch) async throws {
    var (calm, stalls) = (0, watch.stalls)
    for _ in 0..<150 where calm < 20 {
      try await Task.sleep(for: .milliseconds(100))
      calm = watch.stalls == stalls ? calm + 1 : 0
      stalls = watch.stalls
    }
  }
}

extension Trait where Self == StallTrait {
  /// The tests hear sound in real time, which a machine that stands still breaks.
  public static var repeatedAfterStalls: Self { StallTrait() }
}
