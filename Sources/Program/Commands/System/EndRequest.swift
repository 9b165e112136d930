import Synchronization

/// Tells a command that runs without end when it must end.
public struct EndRequest: Sendable {
  private let start: @Sendable () -> @Sendable () -> Bool

  /// - Parameter start: begins to watch for interruptions, and returns a function that says whether one has come.
  public init(_ start: @escaping @Sendable () -> @Sendable () -> Bool) { self.start = start }

  /// Ctrl-C and SIGTERM.
  public static let signals = EndRequest {
    let signals = ProcessSignals([.interrupt, .terminate])
    return { signals.next(within: .zero) != nil }
  }

  /// Begins to watch, and returns a function that says whether the command should end: true from the first interruption on.
  public func listen() -> @Sendable () -> Bool {
    let (isInterrupted, memory) = (start(), Memory())
    return {
      // A signal is taken only once, and a command may ask several times.
      if isInterrupted() { memory.hasCome.store(true, ordering: .relaxed) }
      return memory.hasCome.load(ordering: .relaxed)
    }
  }

  private final class Memory: Sendable {
    let hasCome = Atomic(false)
  }
}
