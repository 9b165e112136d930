/// Whether a notice of PipeWire's library that the server has shut down is true.
///
/// The library sends it for every error of its core, also for one that concerns a single object: for example if a program leaves while the
/// router connects to it. Such a library goes on calling the process callback, and a client that left the server would be silent for
/// nothing. So a client believes the notice only if it is not called any more, or if its connection is closed.
struct ShutdownDoubt {
  enum Verdict {
    case open
    /// The server went on calling the client.
    case untrue
    case confirmed
  }

  /// The reason in the notice.
  let reason: String
  /// Periods that the client had processed when it took the notice.
  private let cycles: Int
  /// When the notice is believed, in microseconds of the server's clock.
  private let end: UInt64

  /// A period may have begun before the error.
  private static let enough = 2
  private static let patience = (periods: 4, microseconds: 50_000)

  /// - Parameters:
  ///   - cycles: periods that the client has processed.
  ///   - time: now, in microseconds.
  ///   - period: the length of a period in microseconds.
  init(reason: String, cycles: Int, time: UInt64, period: Int) {
    (self.reason, self.cycles) = (reason, cycles)
    end = time + UInt64(max(Self.patience.periods * period, Self.patience.microseconds))
  }

  /// - Parameter isConnected: whether the library's connection to the server is open.
  func verdict(cycles: Int, time: UInt64, isConnected: Bool) -> Verdict {
    guard isConnected else { return .confirmed }
    if cycles >= self.cycles + Self.enough { return .untrue }
    return time >= end ? .confirmed : .open
  }
}
