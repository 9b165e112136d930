import Foundation
import TestKit
import Testing

/// The ends of a program under test. Other ends fail a test even where gaps in the sound are excused.
@Suite struct ProgramEndTests {
  @Test("A documented exit code, and the signal that the test sent, are proper ends")
  func inOrder() {
    for code: Int32 in [0, 1, 64, 69] { #expect(ProgramEnd(code: code).fault == nil) }
    #expect(ProgramEnd(code: -SIGKILL, signals: [SIGTERM, SIGKILL]).fault == nil)
  }

  @Test("A crash, a kill by another program, an unknown exit code and no end at all are faults")
  func faults() {
    for signal in [SIGSEGV, SIGABRT, SIGTRAP, SIGKILL] {
      #expect(ProgramEnd(code: -signal, signals: [SIGTERM]).fault?.contains("signal \(signal)") == true)
    }
    for code: Int32 in [2, 43, 70, 255] {
      #expect(ProgramEnd(code: code).fault == "it ended with \(code)")
    }
    #expect(ProgramEnd(code: nil, signals: [SIGTERM]).fault == "it does not end")
  }

  @Test("A sanitizer's report is a fault, whatever the exit code")
  func sanitizer() {
    let said = "==7==ERROR: RealtimeSanitizer: unsafe-library-call\n"
    #expect(ProgramEnd(code: 66, errors: said).fault != nil)
    #expect(ProgramEnd(code: 0, errors: said).fault != nil)
    #expect(ProgramEnd(code: 66, errors: "no such file\n").fault == nil)
  }

  /// Runs a shell as a program under test, and releases it.
  private func shell(_ script: String, then body: (ChildProcess) -> Void = { _ in }) throws {
    let child = try ChildProcess("sh", ["-c", script], isUnderTest: true)
    body(child)
    _ = child
  }

  @Test("A test that releases a program under test fails if the program crashed before or while it ended")
  func crashes() throws {
    try shell("exit 0") { _ = $0.wait() }
    try shell("sleep 60") { $0.send(signal: SIGKILL) }
    withKnownIssue { try shell("kill -SEGV $$") { _ = $0.wait() } }
    withKnownIssue { try shell("exit 43") { _ = $0.wait() } }
    withKnownIssue {
      try shell("trap 'kill -ABRT $$' TERM; echo ready; while :; do read -r line || sleep 0.01; done") {
        _ = $0.output.line()
      }
    }
  }
}
