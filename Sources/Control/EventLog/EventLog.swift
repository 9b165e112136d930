public import ControlInterface
public import SessionModel

/// Reports notifications: as sentences for the user, and as lines of JSON for programs.
public final class EventLog: ControlListener {
  private let level: LogLevel
  private let tell: (String) -> Void
  private let file: EventFile?

  /// - Parameters:
  ///   - level: the least severe level that is reported.
  ///   - file: receives every notification of any level; nil for none.
  ///   - tell: receives a message for the user; it must not wait.
  public init(_ level: LogLevel, file: EventFile?, tell: @escaping (String) -> Void) {
    (self.level, self.file, self.tell) = (level, file, tell)
  }

  public func publish(_ change: Change) {
    for event in change.events { publish(event) }
  }

  /// Reports one notification. The call never waits.
  public func publish(_ event: NumberedNotification) {
    file?.append(event.json)
    if event.notification.logLevel <= level { tell(event.notification.sentence) }
  }
}
