import OSC
import Testing

@testable import Commands

@Suite("Each line of a script is a timed OSC message")
struct ScriptTests {
  @Test("Messages are ordered by time, and their arguments have types as for send")
  func lines() throws {
    let script = try Script(
      text: """
        # the announcement
        2.5 /session/announce/active 1   # comes in

        0 /output/usb/gain -6.5
        2.5 /session/announce/name "Last call" s:1
        \t10\t/system/panic\ttrue\r
        """, file: "s")
    #expect(
      script.messages.map(\.message) == [
        OSCMessage("/output/usb/gain", .float(-6.5)), OSCMessage("/session/announce/active", .int32(1)),
        OSCMessage("/session/announce/name", .string("Last call"), .string("1")),
        OSCMessage("/system/panic", .boolean(true)),
      ])
    #expect(script.messages.map(\.time) == [0, 2.5, 2.5, 10])
    #expect(try Script(text: "", file: "s").messages.isEmpty)
  }

  @Test("Every wrong line is named")
  func problems() {
    let failure = #expect(throws: CommandFailure.self) {
      try Script(text: "soon /a\n-1 /a\n1 a\n1\n1 /a \"b\n1 /fine", file: "show.osc")
    }
    #expect(failure?.exitCode == .badPreset)
    #expect(
      failure?.lines.map { String($0.prefix(30)) } == [
        "show.osc:1: 'soon' is not a ti", "show.osc:2: '-1' is not a time",
        "show.osc:3: an OSC address is ",
        "show.osc:4: an OSC address is ", "show.osc:5: a quote is not clo",
      ])
  }

  @Test("A missing file ends with 66")
  func missing() {
    let failure = #expect(throws: CommandFailure.self) { try Script.read("/no/such/script") }
    #expect(failure?.exitCode == .unreadableFile)
  }
}
