import Foundation
import OSC
import TestKit
import Testing

/// `multiroute events` against a running router and its file.
@Suite struct EventsCommandTests {
  @Test("Events of a session, of a kind and since a time; new ones follow, also after a rotation of the file")
  func filters() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("events.jsonl")
    let house = try await House(flags: ["--events", path])
    let to = ["--to", "127.0.0.1:\(house.router.port)"]
    func events(_ arguments: String...) throws -> [Substring] {
      let result = try Program.run(["events"] + arguments)
      #expect(result.code == 0, "\(result.errors)")
      return result.output.split(separator: "\n")
    }
    try house.surface.send("/session/create", "more", "playback")
    #expect(try events("--session", "more", to[0], to[1]).last?.contains("session more created") == true)
    #expect(try events("--kind", "session", "--session", "show", to[0], to[1]).count == 1)
    #expect(try events("--since", "0s", to[0], to[1]).isEmpty)
    #expect(try !events("--since", "1h", to[0], to[1]).isEmpty)
    let wrong = try Program.run(["events", "--since", "yesterday"] + to)
    #expect(wrong.code != 0 && wrong.errors.contains("is not a time; write 90s"), "\(wrong.errors)")
    let absent = try Program.run(["events", folder.file("none.jsonl")])
    #expect(absent.code != 0 && absent.errors.contains("cannot be read"))

    let live = try Program.start(["events", "--follow", "--kind", "session"] + to, in: folder)
    let file = try Program.start(["events", path, "--follow", "--kind", "session"], in: folder)
    for follower in [live, file] {
      #expect(follower.output.line(containing: "session more created") != nil)
    }
    #expect(rename(path, path + ".1") == 0)
    try house.surface.send("/session/create", "late", "playback")
    for follower in [live, file] {
      #expect(follower.output.line(containing: "session late created") != nil)
      follower.send(signal: SIGINT)
      #expect(follower.wait() == 0)
    }
    #expect(try events(path).contains { $0.contains("session late created") })
    #expect(try !events(path + ".1").contains { $0.contains("session late created") })
  }
}
