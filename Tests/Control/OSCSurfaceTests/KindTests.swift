import OSC
import SessionModel
import Testing

/// The effect of one argument on a leaf of some kind.
struct KindCase: CustomTestStringConvertible, Sendable {
  var address: String
  var argument: OSCArgument
  var expected: Expected

  /// The expected effect of a set.
  enum Expected: Sendable {
    /// The set is accepted without an answer. A get reads this value.
    case reads(OSCArgument)
    /// The set is accepted with another value, which is answered at once. A get reads this value, too.
    case answers(OSCArgument)
    /// The set is refused. The value stays, and is sent back.
    case refused(ErrorCode)
  }

  init(_ address: String, _ argument: OSCArgument, _ expected: Expected) {
    (self.address, self.argument, self.expected) = (address, argument, expected)
  }

  var testDescription: String { "\(address) \(argument.typeTag) \(argument)" }
}

@Suite("Each kind of leaf accepts its values and refuses all others")
struct KindTests {
  static let numbers: [OSCArgument] = [
    .int32(1), .int64(1), .float(1), .double(1), .boolean(true), "1", .symbol("1"),
  ]
  static let noNumbers: [(OSCArgument, ErrorCode)] = [
    ("loud", .badValue), (.symbol("x"), .badValue), (.null, .badType), (.impulse, .badType),
    (.character(65), .badType), (.timetag(.immediately), .badType), (.float(.nan), .badValue),
    (.float(.infinity), .badValue), (.double(-.infinity), .badValue), ("nan", .badValue), ("inf", .badValue),
  ]

  static let levels: [KindCase] =
    numbers.map { KindCase("/session/show/gain", $0, .reads(.float(1))) }
    + noNumbers.map { KindCase("/session/show/gain", $0.0, .refused($0.1)) } + [
      KindCase("/session/show/gain", .boolean(false), .reads(0.0)),
      KindCase("/session/show/gain", "off", .reads(-90.0)),
      KindCase("/session/show/gain", "-INF", .reads(-90.0)),
      KindCase("/session/show/gain", "-12.5", .reads(-12.5)),
      KindCase("/session/show/gain", 10, .reads(10.0)),
      KindCase("/session/show/gain", 10.01, .refused(.outOfRange)),
      KindCase("/session/show/gain", .float(1e20), .refused(.outOfRange)),
      KindCase("/session/show/gain", -90, .reads(-90.0)),
      KindCase("/session/show/gain", -91, .answers(-90.0)),
      KindCase("/session/show/gain", .float(-1e20), .answers(-90.0)),
      KindCase("/session/show/fader", 0.75, .reads(0.75)),
      KindCase("/session/show/fader", 1, .reads(1.0)),
      KindCase("/session/show/fader", 1.0000001, .reads(1.0)),
      KindCase("/session/show/gain", 10.000001, .reads(10.0)),
      KindCase("/session/show/fader", 0, .reads(0.0)),
      KindCase("/session/show/fader", "off", .reads(0.0)),
      KindCase("/session/show/fader", -0.5, .answers(0.0)),
      KindCase("/session/show/fader", 1.01, .refused(.outOfRange)),
      KindCase("/session/show/fader", .float(.nan), .refused(.badValue)),
      KindCase("/session/show/gain/text", "0 dB", .refused(.readOnly)),
    ]

  static let plainNumbers: [KindCase] =
    numbers.map { KindCase("/output/usb/delay", $0, .reads(.float(1))) }
    + noNumbers.map { KindCase("/output/usb/delay", $0.0, .refused($0.1)) } + [
      KindCase("/output/usb/delay", "off", .refused(.badValue)),
      KindCase("/output/usb/delay", 3, .answers(2.0)),
      KindCase("/output/usb/delay", .float(1e20), .answers(2.0)),
      KindCase("/output/usb/delay", -1, .answers(0.0)),
      KindCase("/output/usb/max", 20, .answers(10.0)),
    ]

  static let integers: [KindCase] =
    numbers.map { KindCase("/session/show/capture/channels", $0, .reads(1)) }
    + noNumbers.map { KindCase("/session/show/capture/channels", $0.0, .refused($0.1)) } + [
      KindCase("/session/show/capture/channels", 2.4, .reads(2)),
      KindCase("/session/show/capture/channels", 2.5, .reads(3)),
      KindCase("/session/show/capture/channels", -1, .refused(.outOfRange)),
      KindCase("/session/show/capture/channels", .float(1e20), .refused(.outOfRange)),
      KindCase("/session/show/capture/channels", .int64(.max), .refused(.outOfRange)),
    ]

  static let switches: [KindCase] =
    numbers.map { KindCase("/session/show/mute", $0, .reads(1)) } + [
      KindCase("/session/show/mute", 0.5, .reads(1)), KindCase("/session/show/mute", 0.49, .reads(0)),
      KindCase("/session/show/mute", -3, .reads(0)),
      KindCase("/session/show/mute", .boolean(false), .reads(0)),
      KindCase("/session/show/mute", "TRUE", .reads(1)), KindCase("/session/show/mute", "on", .reads(1)),
      KindCase("/session/show/mute", "false", .reads(0)), KindCase("/session/show/mute", "Off", .reads(0)),
      KindCase("/session/show/mute", "0", .reads(0)),
      KindCase("/session/show/mute", "2", .refused(.badValue)),
      KindCase("/session/show/mute", "1.0", .reads(1)),
      KindCase("/session/show/mute", "0.0", .reads(0)),
      KindCase("/session/show/mute", "maybe", .refused(.badValue)),
      KindCase("/session/show/mute", .null, .refused(.badType)),
      KindCase("/session/show/mute", .impulse, .refused(.badType)),
      KindCase("/session/show/mute", .float(.nan), .refused(.badValue)),
    ]

  static let choices: [KindCase] = [
    KindCase("/output/usb/color", "none", .reads("none")),
    KindCase("/output/usb/color", "#aBcDeF", .reads("#abcdef")),
    KindCase("/output/usb/color", "red", .refused(.badValue)),
    KindCase("/output/usb/color", "#12345", .refused(.badValue)),
    KindCase("/output/usb/color", "#12345g", .refused(.badValue)),
    KindCase("/output/usb/color", "#+12345", .refused(.badValue)),
    KindCase("/fade/curve", "linear", .reads("linear")), KindCase("/fade/curve", "SCURVE", .reads("sCurve")),
    KindCase("/fade/curve", .symbol("linear"), .reads("linear")),
    KindCase("/fade/curve", "steep", .refused(.badValue)), KindCase("/fade/curve", 1, .refused(.badType)),
    KindCase("/fade/curve", .boolean(true), .refused(.badType)),
    KindCase("/fade/curve/index", 2, .reads(2)), KindCase("/fade/curve/index", 3, .refused(.outOfRange)),
    KindCase("/fade/curve/index", -1, .refused(.outOfRange)),
    KindCase("/fade/curve/index", .float(1e30), .refused(.outOfRange)),
    KindCase("/fade/curve/index", "linear", .refused(.badValue)),
    KindCase("/fade/curve/linear", 1, .reads(1)), KindCase("/fade/curve/linear", .null, .reads(1)),
    KindCase("/fade/curve/linear", .impulse, .reads(1)),
    KindCase("/fade/curve/linear", .boolean(true), .reads(1)),
    KindCase("/fade/curve/linear", .boolean(false), .reads(0)),
    KindCase("/fade/curve/linear", 0.4, .reads(0)),
    KindCase("/fade/curve/linear", "1", .refused(.badType)),
    KindCase("/fade/curve/linear", .float(.nan), .refused(.badValue)),
  ]

  static let texts: [KindCase] = [
    KindCase("/session/show/name", "Die große Schau", .reads("Die große Schau")),
    KindCase("/session/show/name", .symbol("show"), .reads("show")),
    KindCase("/session/show/name", "", .reads("")),
    KindCase(
      "/session/show/name", .string(String(repeating: "x", count: 256)),
      .reads(.string(String(repeating: "x", count: 256)))),
    KindCase("/session/show/name", .string(String(repeating: "x", count: 257)), .refused(.badValue)),
    KindCase("/session/show/name", "line\nline", .refused(.badValue)),
    KindCase("/session/show/name", "\u{7F}", .refused(.badValue)),
    KindCase("/session/show/name", "repaired \u{FFFD}", .refused(.badValue)),
    KindCase("/session/show/name", 1, .refused(.badType)),
    KindCase("/session/show/stream/main/from", "player:out_*", .reads("player:out_*")),
    KindCase("/session/show/stream/main/from", "none", .reads("none")),
    KindCase("/session/show/stream/main/from", "input:usb:1-2", .reads("input:usb:1-2")),
    KindCase("/session/show/stream/main/from", "", .refused(.badValue)),
    KindCase("/session/show/stream/main/from", "input:usb:3", .refused(.badParam)),
    KindCase("/session/show/stream/main/from", "input:nowhere", .refused(.badParam)),
    KindCase("/session/show/stream/main/from", "input:usb:x", .refused(.badValue)),
    KindCase("/session/show/capture/to", "", .refused(.badValue)),
  ]

  static let readOnly: [KindCase] = [
    "/session/show/route", "/session/show/why", "/session/show/rate", "/session/show/period",
    "/output/usb/type",
    "/output/usb/channels", "/output/usb/available", "/output/usb/latency", "/output/usb/limiting",
    "/output/usb/reason", "/input/usb/type", "/media/state", "/session/show/stream/main/gain/text",
  ].map { KindCase($0, 1, .refused(.readOnly)) }

  @Test(
    "A set is accepted, clamped or refused by the rule of its kind, and every lamp shows the true value",
    arguments: levels + plainNumbers + integers + switches + choices + texts + readOnly)
  func set(_ row: KindCase) throws {
    var desk = try Desk.stage()
    let answer = desk.get(row.address)
    let before = try #require(answer)
    let state = desk.state
    let answers = desk.send(row.address, row.argument)
    switch row.expected {
    case .reads(let value):
      #expect(answers.isEmpty)
      #expect(desk.get(row.address) == [value])
    case .answers(let value):
      #expect(answers == [OSCMessage(row.address, value)])
      #expect(desk.get(row.address) == [value])
    case .refused(let code):
      #expect(answers.errorCode == code)
      #expect(answers.errors.first?.arguments.first == .string(row.address))
      #expect(answers[row.address] == before)
      #expect(desk.state == state)
    }
  }

  @Test("A surplus argument is ignored, a colour, MIDI bytes or a blob before the value is skipped")
  func surplusArguments() throws {
    var desk = try Desk.stage()
    #expect(desk.send("/session/show/gain", .colour(1), .midi(2), .blob([3]), -6, "more", .null).isEmpty)
    #expect(desk.get("/session/show/gain") == [-6.0])
    // With nothing left the message is a get.
    #expect(desk.send("/session/show/gain", .colour(1)) == [OSCMessage("/session/show/gain", -6.0)])
  }

  @Test("An error has the address as sent, the number, the symbol and a sentence")
  func errorForm() throws {
    var desk = try Desk.stage()
    let answers = desk.send("/session/show/gain", 11)
    let error = try #require(answers.errors.first)
    #expect(error.typeTags == "siss")
    #expect(error.arguments.prefix(3) == ["/session/show/gain", 4, "outOfRange"])
    #expect(
      desk.send("/output/radio/nothing", 1).errors.first?.arguments.prefix(3) == [
        "/output/radio/nothing", 1, "unknownAddress",
      ])
  }

  @Test("No address sets a level above the operator's maximum")
  func maximum() throws {
    var desk = try Desk.stage()
    desk.send("/output/usb/max", -6)
    #expect(desk.get("/output/usb/gain") == [-6.0])
    #expect(desk.send("/output/usb/gain", -5).errorCode == .outOfRange)
    #expect(desk.send("/output/usb/fader", 0.75).errorCode == .outOfRange)
    #expect(desk.send("/output/usb/gain/fade", -5, 1).errorCode == .outOfRange)
    #expect(desk.get("/output/usb/gain") == [-6.0])
    #expect(desk.send("/output/usb/gain", -6).isEmpty)
    #expect(desk.send("/output/usb/gain/inc", 1).errorCode == .outOfRange)
    #expect(desk.send("/output/usb/gain/reset").isEmpty)
    #expect(desk.get("/output/usb/gain") == [-6.0])
  }
}
