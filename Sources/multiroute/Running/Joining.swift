import Commands
import Router

extension RouterService {
  /// Seconds after which a server that neither takes nor refuses us counts as stuck.
  private static let patience: Duration = .seconds(10)
  /// Seconds for which a server that refuses is asked again: a busy one may take the next client.
  private static let refusalPatience: Duration = .seconds(3)

  /// Joins the audio server, and returns when its devices are known, so that the preset is in force.
  ///
  /// - Parameter waits: for as long as it takes, after a word to whoever reads `console`.
  /// - Returns: false if a signal to end came first.
  /// - Throws: `CommandFailure` unavailable when there is no server or it refuses, and it is not to be waited for.
  func join(until signals: ProcessSignals, waits: Bool, _ console: Console) throws(CommandFailure) -> Bool {
    wait { await $0.seekServer() }
    let start = ContinuousClock.now
    var said: BackendError?
    while true {
      let (isReady, isLost, missing) = wait { (await $0.isReady, await $0.isLost, await $0.missing) }
      if isReady { return true }
      let waited = ContinuousClock.now - start
      let isStuck = isLost && missing == nil && waited > Self.patience
      let mayPass = missing?.isRefusal == true && waited < Self.refusalPatience
      if !mayPass, let reason = missing ?? (isStuck ? .refused("the JACK server does not answer") : nil),
        reason != said
      {
        guard waits else { throw CommandFailure(.unavailable, "multiroute: \(reason)") }
        said = reason
        if case .noServer = reason {
          console.tell("multiroute: no JACK server yet; waiting for one")
        } else {
          console.tell("multiroute: \(reason); waiting until that changes")
        }
      }
      // What a hang-up asks for is read when there is a server.
      let pause: Duration = said == nil ? .milliseconds(20) : .milliseconds(100)
      guard let signal = signals.next(within: pause), signal != .hangUp else { continue }
      signals.release(.interrupt)
      return false
    }
  }
}

extension BackendError {
  /// Whether there is a server, which said no.
  fileprivate var isRefusal: Bool {
    if case .refused = self { true } else { false }
  }
}
