/// How a command that goes on for ever learns that it shall end.
public struct Interruption: Sendable {
  private let start: @Sendable () -> @Sendable () -> Bool

  /// - Parameter start: begins to listen, and returns what tells whether the end is wanted.
  public init(_ start: @escaping @Sendable () -> @Sendable () -> Bool) { self.start = start }

  /// Ctrl-C and SIGTERM.
  public static let signals = Interruption {
    let signals = ProcessSignals([.interrupt, .terminate])
    return { signals.next(within: .zero) != nil }
  }

  /// Begins to listen.
  func listen() -> @Sendable () -> Bool { start() }
}
