public import ControlInterface
public import SessionModel
import SystemCalls

/// Reports what happens: as sentences for the user, and as lines of JSON for programs.
///
/// A line of an event names the client whose command caused it. A setting is reported when its value has settled. Xruns are reported in
/// bursts, and errors once a second for each kind.
public final class EventLog: ControlListener {
  private let level: LogLevel
  private let tell: (String) -> Void
  private let file: EventFile?
  private var settling = SettlingValues()
  private var overruns = OverrunReport()
  private var errors = RepeatedErrors()

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
    for event in change.events { publish(event, by: change.author, at: change.time) }
    // A pattern may set thousands of leaves, which are not remembered if nothing reports them.
    if let author = change.author, file != nil || level == .debug {
      settling.note(author, change.after, at: change.time)
    }
  }

  private func publish(_ event: NumberedNotification, by author: Authorship?, at time: Double) {
    // The client that made a mistake gets the error as an answer; the log needs it only for debugging.
    let eventLevel = author?.isRefused == true ? LogLevel.debug : event.notification.logLevel
    if case .error(let client, let address, let error) = event.notification,
      !errors.admits(
        RepeatedErrors.Kind(client: client, code: error.code, address: author == nil ? address : ""),
        eventLevel,
        at: time)
    {
      return
    }
    file?.append(event.json(at: Self.timeOfDay, by: author?.client))
    if case .xrun(let count, let delay) = event.notification {
      return overruns.note(total: count, delay: delay, at: time)
    }
    guard eventLevel <= level else { return }
    let sentence = event.notification.sentence
    tell((author.map { "\(sentence), by \($0.client)" } ?? sentence).printable)
  }

  public func nextDue(at time: Double) -> Double? {
    [settling.nextDue, overruns.nextDue, errors.nextDue].compactMap(\.self).min()
  }

  public func advance(_ state: RouterState, at time: Double) {
    for settled in settling.takeSettled(state, at: time) {
      file?.append(settled.json(at: Self.timeOfDay))
      if level == .debug { tell(settled.sentence.printable) }
    }
    for missed in errors.take(at: time) {
      file?.append(missed.json(at: Self.timeOfDay))
      if missed.level <= level { tell(missed.sentence) }
    }
    if let sentence = overruns.take(at: time), level >= .warning { tell(sentence) }
  }
}
