import SessionModel
import Synchronization
import Testing

@testable import EventLog

@Suite("Notifications in words and as JSON")
struct EventLogTests {
  private static let session = SessionID("show")
  private static let refusal = SessionError(.resourceNotAvailable, "there is no input")

  /// A notification of each kind, with its sentence, its level and its line.
  static let table: [(Notification, String, LogLevel, String)] = [
    (
      .active(session, true, by: .app), "active show 1 app", .debug,
      #"{"event": "/event/active", "arguments": [7, "show", 1, "app"]}"#
    ),
    (
      .port(.output, PortID("usb"), isAvailable: false), "output usb is gone", .info,
      #"{"event": "/event/port", "arguments": [7, "out", "usb", 0]}"#
    ),
    (
      .media(isRunning: false), "the JACK server is gone; waiting for it", .error,
      #"{"event": "/event/media", "arguments": [7, "lost"]}"#
    ),
    (
      .media(isRunning: true), "the JACK server is running", .info,
      #"{"event": "/event/media", "arguments": [7, "reset"]}"#
    ),
    (
      .session(session, .created), "session show created", .debug,
      #"{"event": "/event/session", "arguments": [7, "show", "created"]}"#
    ),
    (
      .session(session, .vanished), "the programs of session show have quit", .info,
      #"{"event": "/event/session", "arguments": [7, "show", "vanished"]}"#
    ),
    (.xrun(count: 3), "xrun, 3 so far", .warning, #"{"event": "/event/xrun", "arguments": [7, 3]}"#),
    (.hint(session, true), "hint show 1", .debug, #"{"event": "/event/hint", "arguments": [7, "show", 1]}"#),
  ]

  @Test("Each notification has its sentence, its level and its line", arguments: table.indices)
  func forms(row: Int) {
    let (notification, sentence, level, line) = Self.table[row]
    #expect(notification.sentence == sentence)
    #expect(notification.logLevel == level)
    #expect(NumberedNotification(serial: 7, notification).json == line)
  }

  @Test("An error of the router has the level error; a client's error has the level debug")
  func errors() {
    let own = Notification.error(client: 0, address: "", Self.refusal)
    #expect(own.logLevel == .error)
    let code = Self.refusal.code
    #expect(own.sentence == "error: \(code.symbol) (\(code.rawValue)): there is no input")
    let clients = Notification.error(client: 2, address: "/session/show/active", Self.refusal)
    #expect(clients.logLevel == .debug)
    #expect(
      clients.sentence
        == "error at /session/show/active: \(code.symbol) (\(code.rawValue)): there is no input")
  }

  @Test("Only notifications of the chosen level and above are reported", arguments: LogLevel.allCases)
  func levels(level: LogLevel) {
    let said = Mutex<[String]>([])
    let log = EventLog(level, file: nil) { line in said.withLock { $0.append(line) } }
    for (index, row) in Self.table.enumerated() {
      log.publish(NumberedNotification(serial: Int32(index + 1), row.0))
    }
    let expected = Self.table.filter { $0.2 <= level }.map(\.1)
    #expect(said.withLock { $0 } == expected)
    #expect(!expected.isEmpty)
  }
}
