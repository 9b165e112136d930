import SystemCalls
import Testing

@testable import Commands

@Suite("The console keeps its lines")
struct PromptHistoryTests {
  @Test("Lines are there for the next console, in a file for its user alone")
  func kept() throws {
    let folder = try TemporaryFolder()
    let state = folder.path("new/state")
    var history = try PromptHistory(in: state)
    #expect(history.lines.isEmpty)
    for line in ["/ramp", "/session/show/name \"Bühne\"", "quit"] { #expect(try history.add(line)) }
    #expect(try PromptHistory(in: state).lines == ["/ramp", "/session/show/name \"Bühne\"", "quit"])
    #expect(try System.stat(state + "/console-history").permissions == 0o600)
  }

  @Test(
    "Empty and repeated lines, those with a blank before them, passcodes and control characters are not kept")
  func dropped() throws {
    let state = try TemporaryFolder()
    var history = try PromptHistory(in: state.path(""))
    #expect(try history.add("/ramp"))
    for line in [
      "", "/ramp", " /ramp 1", "/hello me secret", "send /hello me secret", "/a\u{1B}[2J",
      String(repeating: "x", count: 5_000),
    ] {
      #expect(try !history.add(line), "\(line.prefix(20))")
    }
    #expect(try PromptHistory(in: state.path("")).lines == ["/ramp"])
  }

  @Test("The file is bounded, and two consoles keep both their lines")
  func bounded() throws {
    let state = try TemporaryFolder()
    var (first, second) = (try PromptHistory(in: state.path("")), try PromptHistory(in: state.path("")))
    #expect(try first.add("one") && second.add("two"))
    #expect(try PromptHistory(in: state.path("")).lines == ["one", "two"])
    let most = PromptHistory.limit
    for index in 0..<(2 * most) { _ = try first.add("line \(index)") }
    let file = try WholeFile.bytes(state.path("console-history"))
    #expect(file.count { $0 == UInt8(ascii: "\n") } <= 2 * most)
    let lines = try PromptHistory(in: state.path("")).lines
    #expect(lines.count == most && lines.last == "line \(2 * most - 1)" && lines == first.lines)
    #expect(try System.stat(state.path("console-history")).permissions == 0o600)
  }

  @Test("A file that cannot be read is an error, and stays as it is")
  func unreadable() throws {
    let state = try TemporaryFolder()
    _ = try state.folder("console-history")
    #expect(throws: SystemError.self) { try PromptHistory(in: state.path("")) }
  }
}
