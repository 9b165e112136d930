import Foundation
import TestKit
import Testing

/// What the router costs while nothing happens.
@Suite struct RestTests {
  /// A session whose program is missing, beside those that are heard.
  private static let waiting = House.preset(
    """
    "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "band": { "channels": 2, "from": ["Band:out_*"], "to": { "usb:1-2": 0 } } } },
    "later": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "connected", "streams": {
      "voice": { "channels": 1, "from": ["Absent:out_*"], "to": { "headphones": 0 } } } }
    """)

  @Test(
    "At rest, the threads of the router but the audio thread wake at most five times a second together",
    arguments: [House.show, waiting])
  func wakeUps(preset: String) async throws {
    let folder = try TemporaryFolder()
    // A long period: a busy machine that leaves periods out wakes the router, which reports them.
    let house = try await House(preset, period: 4_096, flags: ["--events", folder.file("events.jsonl")])
    // What the start has left to do ends by itself: the state is kept, retries grow rare, the last devices settle.
    try await Task.sleep(for: .seconds(4))
    let seconds = 4.0
    let before = try WakeUps(of: house.router.child.identifier)
    try await Task.sleep(for: .seconds(seconds))
    let rates = try WakeUps(of: house.router.child.identifier).rates(since: before, seconds: seconds)
    #expect(rates["mr-audio"] ?? 0 > 10, "the audio thread runs once a period: \(rates)")
    let others = rates.filter { $0.key != "mr-audio" }.values.reduce(0, +)
    #expect(others <= 5, "\(rates)")
    // The router reads the audio thread's ring four times a second, so a count of none would be a count of nothing.
    #expect(rates["mr-policy"] ?? 0 > 1, "\(rates)")
  }

  @Test("The router reads the meters fifty times a second while a client subscribes to them, and no longer")
  func meters() async throws {
    let house = try await House()
    func policyRate() async throws -> Double {
      let before = try WakeUps(of: house.router.child.identifier)
      try await Task.sleep(for: .seconds(2))
      return try WakeUps(of: house.router.child.identifier).rates(since: before, seconds: 2)["mr-policy"] ?? 0
    }
    try house.surface.send("/subscribe", "/meter/*")
    let busy = try await policyRate()
    #expect(busy > 40, "\(busy)")
    try house.surface.send("/unsubscribe", "/meter/*")
    // The answer to `/unsubscribe` is itself a wake-up.
    let idle = try await policyRate()
    #expect(idle < 10, "\(idle)")
  }
}

/// How often each thread of a process went to sleep so far, by name. A thread that sleeps is woken up once for each time.
private struct WakeUps {
  private var counts: [String: Int] = [:]

  init(of process: Int32) throws {
    let tasks = "/proc/\(process)/task"
    for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
      let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
      func value(_ key: String) -> Substring? {
        status.split(separator: "\n").first { $0.hasPrefix(key + ":") }?.split(separator: "\t").last
      }
      guard let name = value("Name"), let count = value("voluntary_ctxt_switches").flatMap({ Int($0) }) else {
        continue
      }
      counts[String(name), default: 0] += count
    }
  }

  /// Wake-ups in a second of each thread.
  func rates(since earlier: WakeUps, seconds: Double) -> [String: Double] {
    var rates: [String: Double] = [:]
    for (name, count) in counts { rates[name] = Double(count - (earlier.counts[name] ?? 0)) / seconds }
    return rates
  }
}
