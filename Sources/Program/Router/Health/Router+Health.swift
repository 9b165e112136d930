import ControlInterface
import Health
import ServerInterface
import SessionModel
import SystemCalls

extension Router {
  /// Tells the law which conditions of health have begun or ended.
  func followHealth() {
    guard connection?.isSetAside != true else { return listening.health.postpone(at: now) }
    let changes = listening.health.look(at: state, { healthFacts }, time: now)
    if !changes.isEmpty { happen(.health(changes)) }
  }

  private var healthFacts: HealthFacts {
    var facts = HealthFacts()
    // A server that freewheels needs no priority, and JACK takes it from the audio thread.
    if !media.files.freewheels { facts.isRealtime = server.audioThread.map { System.isRealtime(thread: $0) } }
    for listener in publishing.listeners {
      let troubles = listener.troubles(at: now)
      facts.losses.merge(troubles.losses) { $0 + $1 }
      facts.refusing += troubles.refusing
      facts.silent += troubles.silent
    }
    return facts
  }
}
