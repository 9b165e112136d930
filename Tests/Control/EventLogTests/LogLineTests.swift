import ControlInterface
import ServiceManager
import SessionModel
import Testing

@testable import EventLog

@Suite("Lines of the log")
struct LogLineTests {
  private static let show = SessionID("show")

  /// Lines for an author's command, and those that come later.
  private final class Heard {
    var lines: [LogLine] = []
    private(set) lazy var log = EventLog(.info, file: nil) { [unowned self] in lines.append($0) }
    private var numbering = EventNumbering()

    func publish(_ notification: Notification, by client: String? = nil, at time: Double = 0) {
      let author = client.map { Authorship(client: $0, settings: []) }
      log.publish(
        Change(
          from: RouterState(), to: RouterState(), events: numbering.number([notification]), at: time,
          by: author))
    }
  }

  @Test("A line for programs has time, level, event, ids and the sentence")
  func json() throws {
    let heard = Heard()
    heard.publish(.interruption(Self.show, .began(.default), by: .session("call")), by: "desk \"1\"")
    let line = try #require(heard.lines.first)
    #expect(
      line.json(at: "now")
        == #"{"time": "now", "level": "info", "event": "/event/interruption", "session": "show", "by": "call", "client": "desk \"1\"", "sentence": "show is interrupted by call, by desk \"1\""}"#
    )
    #expect(
      LogLine(.warning, "memory is not locked").json(at: "now")
        == #"{"time": "now", "level": "warning", "sentence": "memory is not locked"}"#)
  }

  @Test("An entry of the journal has the same as fields, and the priority of syslog")
  func journal() throws {
    let heard = Heard()
    heard.publish(.port(.input, "mic", isAvailable: false))
    #expect(
      heard.lines.first?.journalEntry.text
        == "MESSAGE=input mic is gone\nPRIORITY=6\nSYSLOG_IDENTIFIER=multiroute\nMULTIROUTE_EVENT=/event/port\nMULTIROUTE_INPUT=mic\n"
    )
    let priorities = LogLevel.allCases.map { LogLine($0, "").journalEntry.text.split(separator: "\n")[1] }
    #expect(priorities == ["PRIORITY=3", "PRIORITY=4", "PRIORITY=6", "PRIORITY=7"])
  }

  @Test(
    "Of a thousand lines of a kind in a second a hundred are told, and one line says how many are missing")
  func bursts() throws {
    let heard = Heard()
    for step in 0..<1_000 {
      heard.publish(.port(.output, "usb", isAvailable: step % 2 == 1), at: Double(step) / 1_000)
    }
    #expect(heard.lines.count == 100)
    // Another kind has lines of its own.
    heard.publish(.session(Self.show, .vanished), at: 1)
    #expect(heard.lines.count == 101)
    #expect(heard.log.nextDue(at: 1) == 10)
    heard.log.advance(RouterState(), at: 9.9)
    #expect(heard.lines.count == 101)
    heard.log.advance(RouterState(), at: 10)
    #expect(heard.lines.count == 102)
    #expect(
      heard.lines.last
        == LogLine(
          .info, "900 more lines about /event/port are missing here: more than 100 came in 10 s",
          event: "/event/port"))
    #expect(heard.log.nextDue(at: 10) == nil)
    heard.publish(.port(.output, "usb", isAvailable: true), at: 10)
    #expect(heard.lines.count == 103)
  }

  @Test("Lines that come slowly are all told")
  func slow() {
    let heard = Heard()
    for step in 0..<300 { heard.publish(.port(.output, "usb", isAvailable: true), at: Double(step) / 5) }
    #expect(heard.lines.count == 300)
    #expect(heard.log.nextDue(at: 60) == nil)
  }
}
