public import ControlInterface
public import SessionModel
import SystemCalls

/// Reports what happens: as sentences for the user, and as lines of JSON for programs.
///
/// A line of an event names the client whose command caused it. A setting is reported when its value has settled. Xruns are reported in
/// bursts.
public final class EventLog: ControlListener {
  private let level: LogLevel
  private let tell: (String) -> Void
  private let file: EventFile?
  private var settling = SettlingValues()
  private var overruns = OverrunReport()

  /// - Parameters:
  ///   - level: the least severe level that is reported.
  ///   - file: receives every notification of any level, and every setting; nil for none.
  ///   - tell: receives a message for the user; it must not wait.
  public init(_ level: LogLevel, file: EventFile?, tell: @escaping (String) -> Void) {
    (self.level, self.file, self.tell) = (level, file, tell)
  }

  /// The time of day for the lines of the file.
  private static var timeOfDay: String { System.gmtime(System.time()) }

  public func publish(_ change: Change) {
    for event in change.events { publish(event, by: change.author?.client, at: change.time) }
    // A pattern may set thousands of leaves, which are not remembered if nothing reports them.
    if let author = change.author, file != nil || level == .debug {
      settling.note(author, change.after, at: change.time)
    }
  }

  private func publish(_ event: NumberedNotification, by client: String?, at time: Double) {
    file?.append(event.json(at: Self.timeOfDay, by: client))
    if case .xrun(let count, let delay) = event.notification {
      return overruns.note(total: count, delay: delay, at: time)
    }
    guard event.notification.logLevel <= level else { return }
    tell(client.map { "\(event.notification.sentence), by \($0)" } ?? event.notification.sentence)
  }

  public func nextDue(at time: Double) -> Double? {
    [settling.nextDue, overruns.nextDue].compactMap(\.self).min()
  }

  public func advance(_ state: RouterState, at time: Double) {
    for settled in settling.takeSettled(state, at: time) {
      file?.append(settled.json(at: Self.timeOfDay))
      if level == .debug { tell(settled.sentence) }
    }
    if let sentence = overruns.take(at: time), level >= .warning { tell(sentence) }
  }
}
