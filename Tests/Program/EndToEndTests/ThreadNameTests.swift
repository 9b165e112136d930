import Foundation
import TestKit
import Testing

/// The thread names that `top -H` shows.
@Suite struct ThreadNameTests {
  @Test("Each thread of the router has a name of its own")
  func threadNames() async throws {
    let folder = try TemporaryFolder()
    let house = try await House(flags: ["--events", folder.file("events.jsonl")])
    let tasks = "/proc/\(house.router.child.identifier)/task"
    let names = try FileManager.default.contentsOfDirectory(atPath: tasks).map { task in
      try String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8).trimmingCharacters(
        in: .whitespacesAndNewlines)
    }
    #expect(Set(names).count == names.count, "\(names.sorted())")
    let expected = [
      "multiroute", "mr-audio", "mr-notices", "mr-messages", "mr-policy", "mr-osc", "mr-log", "mr-events",
      "mr-state",
    ]
    #expect(Set(names).isSuperset(of: expected), "\(names.sorted())")
  }
}
