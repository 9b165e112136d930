public import ControlInterface
import Parameters
public import SessionModel

/// Reports what happens: as sentences for the user, and as lines of JSON for programs.
///
/// A line of an event names the client whose command caused it. A setting is reported when its value has settled. Xruns are reported in
/// bursts, errors once a second for each kind, and of all other events of a kind at most a hundred in ten seconds.
public final class EventLog: ControlListener {
  private let level: LogLevel
  private let tell: (LogLine) -> Void
  private let file: EventFile?
  private var settling = SettlingValues()
  private var overruns = OverrunReport()
  private var errors = RepeatedErrors()
  private var bursts = LineBursts()

  /// - Parameters:
  ///   - level: the least severe level that is reported.
  ///   - file: receives every notification of any level, and every setting; nil for none.
  ///   - tell: receives a line for the user; it must not wait.
  public init(_ level: LogLevel, file: EventFile?, tell: @escaping (LogLine) -> Void) {
    (self.level, self.file, self.tell) = (level, file, tell)
  }

  public func publish(_ change: Change) {
    for event in change.events { publish(event, of: change) }
    // A pattern may set thousands of leaves, which are not remembered if nothing reports them.
    if let author = change.author, file != nil || level == .debug {
      settling.note(author, change.after, at: change.time)
    }
  }

  private func publish(_ event: NumberedNotification, of change: Change) {
    let (author, time) = (change.author, change.time)
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
    file?.append(EventRecord(event, at: change.stamp, by: author?.client).line)
    if case .xrun(let count, let delay) = event.notification {
      return overruns.note(total: count, delay: delay, at: time)
    }
    guard eventLevel <= level else { return }
    let sentence = event.notification.sentence
    let line = LogLine(
      eventLevel, (author.map { "\(sentence), by \($0.client)" } ?? sentence).printable,
      event: event.notification.address,
      subjects: event.notification.subjects + (author.map { [.init(.client, $0.client)] } ?? []))
    if bursts.admits(line, at: time) { tell(line) }
  }

  public func nextDue(at time: Double) -> Double? {
    [settling.nextDue, overruns.nextDue, errors.nextDue, bursts.nextDue].compactMap(\.self).min()
  }

  public func advance(_ state: RouterState, at time: Double) {
    for settled in settling.takeSettled(state, at: time) {
      file?.append(settled.json(at: .now))
      if level == .debug { tell(settled.line) }
    }
    for missed in errors.take(at: time) {
      file?.append(missed.json(at: .now))
      if missed.level <= level { tell(LogLine(missed.level, missed.sentence, event: "/event/error")) }
    }
    if let sentence = overruns.take(at: time), level >= .warning {
      tell(LogLine(.warning, sentence, event: "/event/xrun"))
    }
    for line in bursts.take(at: time) { tell(line) }
  }
}
