import ControlInterface
import Health
import SessionModel

/// Looks after the router's health about once a second. Belongs to the policy thread.
final class HealthMonitor {
  private var watch = HealthWatch()
  private let disk: DiskWatch?
  /// When to look next, in seconds since the start.
  private(set) var due = 0.0
  /// The audio server at the last look.
  private var server = ServerState()

  /// Seconds between two looks.
  private static let pause = 1.0

  /// - Parameter recordings: the folder of the recordings; nil if there is none.
  init(recordings: String?) { disk = recordings.map { DiskWatch($0) } }

  /// Free bytes of the disk of the recordings, as last seen.
  var freeBytes: Int? { disk?.disk?.free }

  func start() { disk?.start() }
  func stop() { disk?.stop() }

  /// Leaves out a look that would be due.
  func postpone(at time: Double) { due = max(due, time + Self.pause) }

  /// Looks at everything, if that is due or the audio server has changed.
  ///
  /// - Parameter facts: what the router measures.
  /// - Returns: the conditions that have begun or ended; empty if there are none.
  func look(
    at state: RouterState, _ facts: () -> HealthFacts, time: Double
  ) -> [HealthRule: String?] {
    guard due <= time || server != state.server else { return [:] }
    (due, server) = (time + Self.pause, state.server)
    var facts = facts()
    facts.disk = disk?.disk
    return watch.look(at: state, facts, time: time)
  }
}
