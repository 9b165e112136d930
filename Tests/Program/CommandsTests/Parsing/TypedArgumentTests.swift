import OSC
import Testing

@testable import Commands

@Suite("Arguments of send are typed as a person expects")
struct TypedArgumentTests {
  @Test(
    "The form of a text decides its type",
    arguments: [
      ("1", .int32(1)), ("-7", .int32(-7)), ("+3", .int32(3)), ("2147483648", .int64(2_147_483_648)),
      ("-6.5", .float(-6.5)), ("1e3", .float(1_000)), (".5", .float(0.5)),
      ("99999999999999999999", .float(1e20)),
      ("true", .boolean(true)), ("false", .boolean(false)), ("True", .string("True")),
      ("off", .string("off")),
      ("-inf", .string("-inf")), ("nan", .string("nan")), ("0x10", .string("0x10")),
      ("1.2.3", .string("1.2.3")),
      ("s:1", .string("1")), ("s:", .string("")), ("s:s:x", .string("s:x")), ("", .string("")),
      ("usb:1-2", .string("usb:1-2")), ("--5", .string("--5")), ("-", .string("-")),
    ] as [(String, OSCArgument)])
  func types(text: String, argument: OSCArgument) {
    #expect(OSCArgument(typed: text) == argument)
  }

  @Test("Printed texts with blanks have quotes, so that their ends are visible")
  func words() {
    let arguments: [OSCArgument] = [
      .int32(1), .float(-6), .string("a"), .string("a b"), .string(""), .string("\""),
    ]
    #expect(arguments.words == #"1 -6.0 a "a b" "" "\"""#)
  }
}
