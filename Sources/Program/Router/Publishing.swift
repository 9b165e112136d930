import ControlInterface
import EventReports
import MixEngine
import SessionModel

/// Publishes changes to the listeners, and keeps answers that wait for the audio thread. Belongs to the policy thread.
final class Publishing {
  /// The listeners that get every change, in this order.
  let listeners: [any ControlListener]
  private var numbering = EventNumbering()
  private var reporter = EventReporter()
  private var pending: [(answer: PendingAnswer, serial: UInt64)] = []

  init(_ listeners: [any ControlListener]) { self.listeners = listeners }

  /// Publishes a change to all listeners, with the event reports that follow from it.
  func publish(
    _ notifications: [Notification], from before: RouterState, to after: RouterState, at time: Double,
    by author: Authorship? = nil
  ) {
    let told = reporter.follow(notifications, from: before, to: after, at: time)
    tell(Change(from: before, to: after, events: numbering.number(told), at: time, by: author))
  }

  private func tell(_ change: Change) { for listener in listeners { listener.publish(change) } }

  /// Publishes new measured values. They change twice a second and are no events.
  func publishMeasurements(from before: RouterState, to after: RouterState, at time: Double) {
    let change = Change(from: before, to: after, events: [], at: time)
    for listener in listeners { listener.publishMeasurements(change) }
  }

  /// The addresses of the values whose faders clients touch.
  var touchedAddresses: Set<String> {
    listeners.reduce(into: []) { $0.formUnion($1.touchedAddresses) }
  }

  /// Tells the listeners that the law is about to decide on a fact from outside.
  func prepareForEvent() { for listener in listeners { listener.prepareForEvent() } }

  /// Gives the listeners the sender of early levels to the audio thread; nil while there is no audio thread.
  func use(_ early: EarlySender?) { for listener in listeners { listener.use(early) } }

  /// Reports faders that have come to rest, and lets each listener continue its work, if that is due.
  func advance(_ state: RouterState, at time: Double) {
    if let due = reporter.nextDue, due <= time {
      let settled = reporter.takeSettled(state, at: time)
      tell(Change(from: state, to: state, events: numbering.number(settled), at: time))
    }
    for listener in listeners {
      if let due = listener.nextDue(at: time), due <= time { listener.advance(state, at: time) }
    }
  }

  /// When the next report or the next work of a listener is due, in seconds since the start; nil while nothing is.
  func nextDue(at time: Double) -> Double? {
    let next = listeners.compactMap { $0.nextDue(at: time) }.min()
    return [next, reporter.nextDue].compactMap(\.self).min()
  }

  // MARK: Answers that wait

  var hasPending: Bool { !pending.isEmpty }

  /// Keeps answers until the audio thread has adopted the plan with this serial number.
  func add(_ answers: [PendingAnswer], until serial: UInt64) {
    pending += answers.map { ($0, serial) }
  }

  /// Keeps all answers until the audio thread has adopted a later plan.
  func postpone(until serial: UInt64) {
    for index in pending.indices { pending[index].serial = serial }
  }

  /// Sends the answers that wait for this plan or an earlier one.
  func answer(adopted: UInt64) {
    for (answer, serial) in pending where serial <= adopted { answer.send(nil) }
    pending.removeAll { $0.serial <= adopted }
  }

  /// Answers everything that waits with an error.
  func refuse(_ error: SessionError) {
    for (answer, _) in pending { answer.send(error) }
    pending = []
  }
}
