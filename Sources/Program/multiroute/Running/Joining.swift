import Commands
import Router
import ServerInterface
import SessionModel

extension RouterService {
  /// Time after which a server that neither accepts nor refuses the router counts as stuck.
  private static let patience: Duration = .seconds(10)
  /// Longest time to wait for the status from the policy thread, in seconds.
  private static let longestLook = 0.1
  /// Time for which a refusing server is asked again, because a busy server may accept the next attempt.
  private static let refusalPatience: Duration = .seconds(3)

  /// Joins the audio server and returns once its devices are known, so that the preset is in force.
  ///
  /// - Parameter waits: whether to wait for a server without end. The console then says that the router waits.
  /// - Returns: the state once the devices are known; nil if a signal to end came first.
  /// - Throws: `CommandFailure` unavailable if there is no server or the server refuses, unless `waits`.
  func join(until signals: ProcessSignals, waits: Bool, _ console: Console) throws(CommandFailure)
    -> RouterState?
  {
    wait { await $0.start() }
    let start = ContinuousClock.now
    var said: AudioServerError?
    while true {
      // The query has a time limit, so that signals are handled even if the policy thread is late.
      let status = wait(within: Self.longestLook) {
        (
          state: await $0.isReady ? await $0.snapshot : nil, isLost: await $0.isLost,
          missing: await $0.missing
        )
      }
      if let state = status?.state { return state }
      let (isLost, missing) = (status?.isLost ?? true, status?.missing)
      let waited = ContinuousClock.now - start
      let isStuck = isLost && missing == nil && waited > Self.patience
      let mayPass = missing?.isRefusal == true && waited < Self.refusalPatience
      if !mayPass, let reason = missing ?? (isStuck ? .refused("the JACK server does not answer") : nil),
        reason != said
      {
        guard waits else { throw CommandFailure(.unavailable, "multiroute: \(reason)\(reason.advice)") }
        said = reason
        if case .noServer = reason {
          console.tell("multiroute: no JACK server yet; waiting for one")
        } else {
          console.tell("multiroute: \(reason); waiting until that changes")
        }
      }
      // A hang-up is ignored here: the preset is not in force before there is a server.
      let pause: Duration = said == nil ? .milliseconds(20) : .milliseconds(100)
      guard let signal = signals.next(within: pause), signal != .hangUp else { continue }
      signals.release(.interrupt)
      return nil
    }
  }
}

extension AudioServerError {
  /// What the user can do about the error, to follow its reason.
  fileprivate var advice: String {
    if case .noServer = self {
      "; start one, or use --start-server for a dummy one or --wait to wait for it"
    } else {
      ""
    }
  }

  /// Whether a server is running but refuses the router.
  fileprivate var isRefusal: Bool {
    if case .refused = self { true } else { false }
  }
}
