import Threads

/// Ends `run`: in order if possible, and always within a second.
///
/// The process does not wait for a part that hangs.
struct Ending {
  /// Seconds from the start by which the router must have faded out and left the audio server.
  private static let routerLimit = 0.6
  /// Seconds from the start by which the server of `--start-server` must have ended.
  private static let serverLimit = 0.75
  /// Seconds from the start by which waiting lines must be written.
  private static let lineLimit = 0.9
  /// The least and the most seconds for writing lines.
  private static let (leastForLines, mostForLines) = (0.05, 0.2)

  private let start = MonotonicTime.now
  /// Whether a thread was left behind. It may still use memory that an ordinary exit frees.
  private(set) var isIncomplete = false

  /// Stops the router.
  mutating func stop(_ work: @escaping @Sendable () -> Void) { run("mr-end", until: Self.routerLimit, work) }

  /// Stops the server that the router started.
  mutating func stopServer(_ work: @escaping @Sendable () -> Void) {
    run("mr-end-server", until: Self.serverLimit, work)
  }

  /// Seconds that the writing of one stream of lines may take now.
  var secondsForLines: Double {
    max(Self.leastForLines, min(Self.mostForLines, Self.lineLimit - passed))
  }

  private var passed: Double { MonotonicTime.now - start }

  private mutating func run(_ name: String, until limit: Double, _ work: @escaping @Sendable () -> Void) {
    if !OwnThread.run(name, within: max(0.05, limit - passed), work) { isIncomplete = true }
  }
}
