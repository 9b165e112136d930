public import SessionModel

/// Derives event reports from what the law decides: changes of devices, rates, volumes and sessions.
///
/// Only changes are reported. A report follows the notification that it belongs to, so that both have neighbouring serial numbers.
public struct EventReporter: Sendable {
  private var rates = ReportedRates()
  private var volumes = SettledVolumes()

  public init() {}

  /// Puts the reports of a change between its notifications.
  ///
  /// - Parameter time: when the change was decided, in seconds of the router's time.
  public mutating func follow(
    _ told: [Notification], from before: RouterState, to after: RouterState, at time: Double
  ) -> [Notification] {
    volumes.note(from: before, to: after, at: time)
    let newRates = rates.changes(from: before, to: after, told)
    guard !told.isEmpty || !newRates.isEmpty else { return told }
    var configurations: [SessionID: SessionConfiguration] = [:]
    var result: [Notification] = []
    for notification in told {
      result.append(notification)
      if case .category(let session, let configuration) = notification {
        let former = configurations[session] ?? before.sessions[session].map { SessionConfiguration($0) }
        configurations[session] = configuration
        result += Self.changes(from: former, to: configuration).map { .report(session, $0) }
      } else {
        result += notification.reports(in: after)
      }
    }
    return result + newRates
  }

  /// When `takeSettled` must be called next, in seconds of the router's time; nil if no fader moves.
  public var nextDue: Double? { volumes.nextDue }

  /// Takes the reports of output faders that have come to rest.
  public mutating func takeSettled(_ state: RouterState, at time: Double) -> [Notification] {
    volumes.take(state, at: time)
  }

  /// One report for each part of a configuration that has changed.
  private static func changes(
    from former: SessionConfiguration?, to configuration: SessionConfiguration
  ) -> [EventReport] {
    var reports: [EventReport] = []
    if configuration.category != former?.category {
      reports.append(EventReport(.category, configuration.category.reportedName))
    }
    if configuration.options != former?.options {
      reports.append(EventReport(.categoryOptions, configuration.options.rawValue))
    }
    if configuration.mode != former?.mode {
      reports.append(EventReport(.mode, configuration.mode.reportedName))
    }
    return reports
  }
}

extension SessionConfiguration {
  /// The configuration of a session, with the options in force, as `/event/category` tells it.
  fileprivate init(_ session: Session) {
    self.init(category: session.category, mode: session.mode, options: session.options)
  }
}
