import Commands
import ControlInterface
import EventReports
import ServiceManager
import SessionModel
import Synchronization
import SystemCalls

/// Tells systemd how the router is: that the preset is in force, a sentence about the state, and that the policy thread turns.
///
/// The signs of life come from the policy thread itself, so systemd restarts a router whose policy thread hangs. Sending never waits. Any thread
/// may call `say`, `sayReady` and `sayStopping`.
final class ServiceReports: ControlListener, Sendable {
  private let socket: ServiceSocket
  /// Seconds from one sign of life to the next; nil if systemd wants none.
  private let pace: Double?
  private let state = Mutex(State())

  private struct State {
    /// The newest sentence, and whether systemd has it.
    var (sentence, isSaid) = ("", true)
    /// When the last sentence was sent, and when the next sign of life is due, in seconds of the router's time.
    var (lastSaid, nextSign) = (-Double.infinity, 0.0)
  }

  /// The part of systemd's time after which a sign of life is sent. systemd.service(5) asks for half; a late thread must keep to that.
  private static let share = 0.3
  /// Seconds after which a notice for which systemd had no room is sent again.
  private static let patience = 0.1
  /// Seconds between two sentences.
  private static let pause = 1.0

  /// Nil if systemd does not ask for reports.
  init?(_ context: Context) {
    let environment = context.environment
    guard let place = environment["NOTIFY_SOCKET"], !place.isEmpty else { return nil }
    do throws(SystemError) { socket = try ServiceSocket(place) } catch {
      context.console.tell("multiroute: systemd is told nothing: NOTIFY_SOCKET \(place): \(error.reason)")
      return nil
    }
    pace = ServiceSocket.watchdogSeconds(environment["WATCHDOG_USEC"], process: environment["WATCHDOG_PID"])
      .map { $0 * Self.share }
  }

  /// Sets the sentence that `systemctl status` shows.
  func say(_ sentence: String) {
    state.withLock { state in
      guard state.sentence != sentence else { return }
      (state.sentence, state.isSaid) = (sentence, false)
    }
  }

  /// Says that the preset is in force, with the newest sentence: the policy thread may have set one since the router joined.
  func sayReady() {
    state.withLock { $0.isSaid = socket.send(.ready, .status($0.sentence)) }
  }

  /// Says that the router ends.
  func sayStopping() { socket.send(.stopping, .status("fades out and leaves the JACK server")) }

  // MARK: The policy thread

  func publish(_ change: Change) {
    // Levels have no part in the sentence.
    if !change.events.isEmpty { say(change.after.statusSentence) }
  }

  func nextDue(at time: Double) -> Double? {
    state.withLock { state in
      [state.isSaid ? nil : state.lastSaid + Self.pause, pace == nil ? nil : state.nextSign]
        .compactMap(\.self).min()
    }
  }

  func advance(_ router: RouterState, at time: Double) {
    state.withLock { state in
      if !state.isSaid, time >= state.lastSaid + Self.pause {
        state.isSaid = socket.send(.status(state.sentence))
        state.lastSaid = time
      }
      if let pace, time >= state.nextSign {
        state.nextSign = time + (socket.send(.watchdog) ? pace : min(pace, Self.patience))
      }
    }
  }
}
