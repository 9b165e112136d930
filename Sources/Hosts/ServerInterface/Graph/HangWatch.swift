import Synchronization
import Threads

/// Looks for stopped programs while the server does not call our audio thread, and then until they go on or end.
///
/// A program that is stopped while the server calls us keeps nothing waiting, so it is none of them.
///
/// The looks run on a thread of their own, because they read the system's process tables. Any thread may call the methods.
public final class HangWatch: Sendable {
  private struct Findings {
    var isLooking = false
    var hasEnded = false
    var programs: Set<String> = []
    var isNew = false
  }

  private let server: any AudioServer
  private let findings = Mutex(Findings())

  /// Seconds without a call of the audio thread after which a program ahead of it may hang.
  public static let patience = 0.5
  /// Seconds between two looks.
  private static let interval = 0.2

  public init(_ server: any AudioServer) { self.server = server }

  /// Begins to look if the server does not call our audio thread, unless a look is under way.
  public func follow() {
    guard isUncalled else { return }
    let isNew = findings.withLock { findings in
      defer { findings.isLooking = true }
      return !findings.isLooking && !findings.hasEnded
    }
    if isNew { OwnThread("mr-hang") { [self] in look() }.detach() }
  }

  /// The client names of the stopped programs; nil if they have not changed since the last call.
  public func takeNews() -> Set<String>? {
    findings.withLock { findings in
      defer { findings.isNew = false }
      return findings.isNew ? findings.programs : nil
    }
  }

  /// Ends the looks.
  public func end() { findings.withLock { $0.hasEnded = true } }

  private var isUncalled: Bool { server.secondsWithoutCall.map { $0 > Self.patience } ?? false }

  private func look() {
    while true {
      let stopped = Set(server.stoppedPrograms())
      let isUncalled = isUncalled
      let isOver = findings.withLock { findings in
        let programs = isUncalled ? stopped : stopped.intersection(findings.programs)
        let goesOn = !programs.isEmpty || isUncalled
        if programs != findings.programs { (findings.programs, findings.isNew) = (programs, true) }
        if findings.hasEnded || !goesOn { findings.isLooking = false }
        return !findings.isLooking
      }
      if isOver { return }
      MonotonicTime.pause(seconds: Self.interval)
    }
  }
}
