import OSC
import Testing

@testable import Commands

@Suite("A line of the console is an address, or begins with one of a few words")
struct ConsoleLineTests {
  @Test(
    "An address alone reads, one with arguments sends",
    arguments: [
      ("", ConsoleLine.nothing), ("  # a comment", .nothing), ("/ramp", .read("/ramp")),
      (" /output/*/gain ", .read("/output/*/gain")), ("get /ramp", .get("/ramp")),
      ("/output/usb/gain -6", .send(OSCMessage("/output/usb/gain", .int32(-6)))),
      (
        "/a 1.5 true x \"1 2\" \"\"",
        .send(
          OSCMessage("/a", .float(1.5), .boolean(true), .string("x"), .string("1 2"), .string("")))
      ),
      ("send /preset/undo", .send(OSCMessage("/preset/undo"))),
      ("send /a \"1\"", .send(OSCMessage("/a", .string("1")))),
      ("help", .help), ("help /ramp", .describe("/ramp")), ("quit", .quit),
    ])
  func lines(text: String, line: ConsoleLine) throws {
    #expect(try ConsoleLine(text) == line)
  }

  @Test(
    "Any other line is refused with its cure",
    arguments: [
      ("output/usb/gain", "did you mean /output/usb/gain?"), ("quti", "did you mean quit?"),
      ("get", "write: get ADDRESS"), ("get /a 1", "write: get ADDRESS"), ("get a", "write: get ADDRESS"),
      ("send", "write: send ADDRESS [ARG...]"), ("quit now", "write: quit"),
      ("help me", "write: help [ADDRESS]"),
      ("/a \"b", "a quote is not closed"), ("\"/a\"", "did you mean"),
    ])
  func mistakes(text: String, cure: String) {
    let failure = #expect(throws: CommandFailure.self) { try ConsoleLine(text) }
    #expect(failure?.exitCode == .usage)
    #expect(failure?.lines.count == 1 && failure?.lines[0].contains(cure) == true, "\(failure?.lines ?? [])")
  }
}
