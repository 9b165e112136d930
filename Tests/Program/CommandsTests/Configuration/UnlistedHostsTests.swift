import ControlInterface
import Parameters
import Synchronization
import Testing

@testable import Commands

@Suite("Hosts that the configuration does not list")
struct UnlistedHostsTests {
  private static let tablet = HostAddress(0xC0A8_0114)

  /// The messages about hosts, in order.
  private final class Log: Sendable {
    private let messages = Mutex<[String]>([])
    var all: [String] { messages.withLock { $0 } }
    func tell(_ message: String) { messages.withLock { $0.append(message) } }
  }

  @Test("An unlisted host is named with the line that would allow it, at most once a minute")
  func onceAMinute() {
    let log = Log()
    let hosts = UnlistedHosts(file: "/home/user/config.json", tell: log.tell)
    for step in 0..<6_000 { hosts.note(Self.tablet, at: 7 + Double(step) / 100) }
    #expect(
      log.all == [
        "multiroute: 192.168.1.20 is not an allowed host, so it gets no answer; to allow it, add \"hosts\": { \"192.168.1.20\": \"control\" } to /home/user/config.json, then run: multiroute reload"
      ])
    hosts.note(HostAddress(0xC0A8_0115), at: 67)
    #expect(log.all.count == 2 && log.all[1].contains("192.168.1.21"))
  }

  @Test("The line is one that the configuration accepts")
  func line() throws {
    let log = Log()
    UnlistedHosts(file: "f", tell: log.tell).note(Self.tablet, at: 0)
    let message = try #require(log.all.first)
    let start = try #require(message.firstRange(of: "\"hosts\""))
    let end = try #require(message.firstRange(of: " to f,"))
    let text = "{ \"multiroute\": 1, \(message[start.lowerBound..<end.lowerBound]) }"
    let (configuration, problems) = ConfigurationReader.read(
      Array(text.utf8), file: "f", environment: Environment([:]))
    #expect(problems.isEmpty)
    #expect(configuration?.admission.right(of: Self.tablet) == .control)
  }

  @Test("Without a configuration the message says how to have one")
  func noFile() {
    let log = Log()
    UnlistedHosts(file: nil, tell: log.tell).note(Self.tablet, at: 0)
    #expect(log.all.first?.contains("start without --config none") == true)
  }
}
