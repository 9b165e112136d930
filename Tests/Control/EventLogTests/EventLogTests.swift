import ControlInterface
import Parameters
import SessionModel
import Synchronization
import Testing

@testable import EventLog

@Suite("Notifications in words and as JSON")
struct EventLogTests {
  private static let session = SessionID("show")
  private static let stamp = TimeStamp(day: 1_795_377_845.1239, monotonic: 81.5)
  private static let refusal = SessionError(.resourceNotAvailable, "there is no input")

  /// A notification of each kind, with its sentence, its level and the middle of its line.
  static let table: [(Notification, String, LogLevel, String)] = [
    (
      .active(session, true, by: .app), "active show 1 app", .debug,
      #""event": "/event/active", "serial": 7, "session": "show", "arguments": [7, "show", 1, "app"], "text": "#
    ),
    (
      .port(.output, PortID("usb"), isAvailable: false), "output usb is gone", .info,
      #""event": "/event/port", "serial": 7, "arguments": [7, "out", "usb", 0], "text": "#
    ),
    (
      .media(isRunning: false), "the JACK server is gone; waiting for it", .error,
      #""event": "/event/media", "serial": 7, "arguments": [7, "lost"], "text": "#
    ),
    (
      .media(isRunning: true), "the JACK server is running", .info,
      #""event": "/event/media", "serial": 7, "arguments": [7, "reset"], "text": "#
    ),
    (
      .session(session, .created), "session show created", .debug,
      #""event": "/event/session", "serial": 7, "session": "show", "arguments": [7, "show", "created"], "text": "#
    ),
    (
      .session(session, .vanished), "the programs of session show have quit", .info,
      #""event": "/event/session", "serial": 7, "session": "show", "arguments": [7, "show", "vanished"], "text": "#
    ),
    (
      .interruption(session, .began(.default), by: .session("call")), "show is interrupted by call", .info,
      #""event": "/event/interruption", "serial": 7, "session": "show", "arguments": [7, "show", "began", 0, "call"], "text": "#
    ),
    (
      .hint(session, true), "hint show 1", .debug,
      #""event": "/event/hint", "serial": 7, "session": "show", "arguments": [7, "show", 1], "text": "#
    ),
  ]

  @Test("Each notification has its sentence, its level and its line", arguments: table.indices)
  func forms(row: Int) {
    let (notification, sentence, level, line) = Self.table[row]
    #expect(notification.sentence == sentence)
    #expect(notification.logLevel == level)
    #expect(
      EventRecord(NumberedNotification(serial: 7, notification), at: Self.stamp, by: nil).line
        == #"{"time": "2026-11-22T20:04:05.123Z", "monotonic": 81.5, \#(line)"\#(sentence)"}"#)
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
    let log = EventLog(level, file: nil) { line in said.withLock { $0.append(line.sentence) } }
    publish(Self.table.map(\.0), to: log)
    let expected = Self.table.filter { $0.2 <= level }.map(\.1)
    #expect(said.withLock { $0 } == expected)
    #expect(!expected.isEmpty)
  }

  // MARK: Clients and settings

  /// Publishes notifications as one change at a time, which a client's command may have caused.
  private func publish(
    _ notifications: [Notification], to log: EventLog, at time: Double = 0, by author: Authorship? = nil
  ) {
    var numbering = EventNumbering()
    let state = RouterState()
    log.publish(Change(from: state, to: state, events: numbering.number(notifications), at: time, by: author))
  }

  /// A log that keeps its sentences.
  private final class Heard {
    var lines: [String] = []
    private(set) lazy var log = EventLog(level, file: nil) { [unowned self] in lines.append($0.sentence) }
    private let level: LogLevel
    init(_ level: LogLevel) { self.level = level }
  }

  @Test("A sentence and a line of JSON name the client whose command caused the event")
  func client() {
    let heard = Heard(.info)
    let author = Authorship(client: "tablet (10.0.0.2:9000)", settings: [])
    publish([.port(.output, PortID("usb"), isAvailable: false)], to: heard.log, by: author)
    #expect(heard.lines == ["output usb is gone, by tablet (10.0.0.2:9000)"])
    #expect(
      EventRecord(NumberedNotification(serial: 7, .hint(Self.session, true)), at: Self.stamp, by: "desk")
        .line.contains(#""monotonic": 81.5, "client": "desk", "event": "/event/hint", "serial": 7"#))
  }

  @Test("A report is also a member of its own, and the session is empty where it is about the router")
  func report() {
    let record = EventRecord(
      NumberedNotification(serial: 8, .report(nil, EventReport(.mediaServicesWereReset, 3))),
      at: Self.stamp, by: nil)
    #expect(
      record.line.contains(
        #""arguments": [8, "", "audioMediaServicesWereReset", "3"], "report": {"audioMediaServicesWereReset": "3"}"#
      ))
    #expect(!record.line.contains(#""session""#))
  }

  @Test("A fader that moves for a while is one line, a second after it came to rest")
  func settings() throws {
    let heard = Heard(.debug)
    let parameter = try #require(Table.parameters.first { $0.address == "/output/<o>/gain" })
    let setting = SettingAddress(
      "/output/usb/fader/inc", of: parameter, at: Target(output: PortID("usb")))
    #expect(setting.address == "/output/usb/gain")
    var state = RouterState()
    var port = Port(id: "usb", name: "usb", type: .usbAudio, globs: [], channels: 2)
    for step in 0..<20 {
      let author = Authorship(client: "desk", settings: [setting])
      publish([], to: heard.log, at: Double(step) * 0.1, by: author)
    }
    port.gain.set(-6)
    state.outputs["usb"] = port
    let due = try #require(heard.log.nextDue(at: 1.9))
    #expect(abs(due - 2.9) < 0.001)
    heard.log.advance(state, at: 2.5)
    #expect(heard.lines == [])
    // A fade that still runs has not settled.
    state.outputs["usb"]?.gain.fade(to: -20, over: 3, curve: .fader, at: 2, isLevel: true)
    heard.log.advance(state, at: due)
    #expect(heard.lines == [])
    heard.log.advance(state, at: 5.1)
    #expect(heard.lines == ["/output/usb/gain is -20, by desk"])
    #expect(heard.log.nextDue(at: 5.1) == nil)
  }

  // MARK: Errors

  @Test(
    "Errors are one line a second for each code and client, and then a line with the number of the others")
  func repeatedErrors() throws {
    let heard = Heard(.info)
    let full = Notification.error(client: 0, address: "", SessionError(.full, "no room"))
    let disk = Notification.error(client: 0, address: "", SessionError(.io, "a disk is full"))
    for number in 0..<1_000 { publish([full], to: heard.log, at: Double(number) / 1_000) }
    publish([disk], to: heard.log, at: 0.9)
    #expect(heard.lines == ["error: full (10): no room", "error: io (15): a disk is full"])
    #expect(heard.log.nextDue(at: 0.9) == 1)
    heard.log.advance(RouterState(), at: 1)
    #expect(heard.lines.dropFirst(2) == ["999 more errors full (10) within a second"])
    #expect(heard.log.nextDue(at: 1) == nil)
    publish([full], to: heard.log, at: 1.5)
    #expect(heard.lines.last == "error: full (10): no room")
  }

  @Test("An error of the router does not hide one of the same code at another address")
  func errorsOfTwoParts() {
    let heard = Heard(.info)
    let library = Notification.error(client: 0, address: "/library/scan", SessionError(.io, "no folder"))
    let bridge = Notification.error(client: 0, address: "/output/usb", SessionError(.io, "no card"))
    publish([library, bridge, bridge], to: heard.log, at: 0)
    #expect(
      heard.lines == [
        "error at /library/scan: io (15): no folder", "error at /output/usb: io (15): no card",
      ])
    heard.log.advance(RouterState(), at: 1)
    #expect(heard.lines.last == "1 more errors io (15) at /output/usb within a second")
  }

  @Test("An error of a client without a place is no error of the router: only --log debug shows it")
  func stranger() {
    let mistake = Notification.error(client: 0, address: "/absent", SessionError(.unknownAddress, "absent"))
    let author = Authorship(client: "127.0.0.1:9000", isRefused: true, settings: [])
    for (level, count) in [(LogLevel.info, 0), (.debug, 1)] {
      let heard = Heard(level)
      publish([mistake], to: heard.log, by: author)
      #expect(heard.lines.count == count)
    }
  }

  // MARK: Overruns

  @Test("A burst of xruns is one line, with its length and the worst delay")
  func overruns() {
    let heard = Heard(.warning)
    for index in 0..<12 {
      publish(
        [.xrun(count: 283 + index, delay: index == 5 ? 0.0031 : 0.001)], to: heard.log,
        at: Double(index) * 4 / 11)
    }
    #expect(heard.log.nextDue(at: 4) == 6)
    heard.log.advance(RouterState(), at: 6)
    #expect(heard.lines == ["12 overruns in 4 s, 294 since start; worst 3.1 ms"])
  }

  @Test("An hour of xruns is at most 24 lines, and an hour without anything is none")
  func quietHour() {
    let heard = Heard(.info)
    func pass(_ hour: Int, xruns: Bool) {
      for second in hour * 3_600..<(hour + 1) * 3_600 {
        let time = Double(second)
        if xruns { publish([.xrun(count: second)], to: heard.log, at: time) }
        if let due = heard.log.nextDue(at: time), due <= time { heard.log.advance(RouterState(), at: time) }
      }
    }
    pass(0, xruns: false)
    #expect(heard.lines == [])
    pass(1, xruns: true)
    #expect((20...24).contains(heard.lines.count), "\(heard.lines.count)")
    #expect(heard.lines.last?.hasPrefix("150 overruns in 149 s, ") == true, "\(heard.lines.last ?? "")")
  }
}
