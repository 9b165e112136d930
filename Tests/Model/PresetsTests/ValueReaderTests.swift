import JSON5
import Presets
import SessionModel
import Testing

@Suite("A document reader records every problem and goes on")
struct ValueReaderTests {
  enum Tap: String, CaseIterable { case post, pre, input }

  /// The result of reading one value, and the problems that the reader recorded.
  private func read<Value>(_ text: String, _ body: (ValueReader) -> Value?) -> (
    value: Value?, problems: [String]
  ) {
    let (root, problems) = JSON5Reader.read(text, file: "t")
    let log = ProblemLog(file: "t", problems: problems)
    return (root.flatMap { body(ValueReader($0, log: log)) }, log.problems.map(\.description))
  }

  @Test("A document is read with one line for each key, and all its problems come at once")
  func document() {
    let text = """
      {
        session: "Show Case",
        file: 3,
        lops: 1,
        tap: "Pre",
        gain: "-6",
        from: ["a", 2, ""],
        zebra: {},
      }
      """
    let keys = ["session", "stream", "file", "loops", "tap", "gain", "from"]
    let (_, problems) = read(text) { value -> Bool? in
      guard let player = value.object(keys) else { return nil }
      #expect(player.required("session")?.identifier(SessionID.self) == nil)
      #expect(player.required("stream", example: "\"band\"")?.identifier(StreamID.self) == nil)
      #expect(player.required("file")?.text() == nil)
      #expect(player["loops"]?.integer(-1...1_000) == nil)
      #expect(player["tap"]?.choice(Tap.self) == nil)
      #expect(player["gain"]?.number(-90...10, unit: "dB") == nil)
      #expect(player["from"]?.list { $0.text() } == ["a"])
      return true
    }
    #expect(
      problems == [
        "t:1:1: stream: \"stream\" is missing; add it, for instance \"stream\": \"band\"",
        "t:2:12: session: \"Show Case\" is not a valid name; write 1 to 32 of a-z, 0-9, - and _, such as \"show-case\"",
        "t:3:9: file: 3 is a number; write text in quotes",
        "t:4:3: lops: unknown key \"lops\"; did you mean \"loops\"?",
        "t:5:8: tap: unknown value \"Pre\"; did you mean \"pre\"?",
        "t:6:9: gain: \"-6\" is text; write -6 without quotes",
        "t:7:15: from[1]: 2 is a number; write text in quotes",
        "t:7:18: from[2]: the text is empty; write something, or remove the key",
        "t:8:3: zebra: unknown key \"zebra\"; allowed here: session, stream, file, loops, tap, gain, from",
      ])
  }

  @Test("Valid values are read")
  func right() {
    #expect(read("-90", { $0.number(-90...10) }).value == -90)
    #expect(read("1e300", { $0.number(0...(.infinity)) }).value == 1e300)
    #expect(read("2.0", { $0.integer(0...2) }).value == 2)
    #expect(read("0x10", { $0.integer(.min ... .max) }).value == 16)
    #expect(read("'pre'", { $0.choice(Tap.self) }).value == .pre)
    #expect(read("'b'", { $0.choice(["a", "b"]) }).value == "b")
    #expect(read("false", { $0.bool() }).value == false)
    #expect(read("'Gr\u{FC}\u{DF}e'", { $0.text() }).value == "Gr\u{FC}\u{DF}e")
    #expect(read("'pa'", { $0.identifier(PortID.self) }).value == "pa")
    #expect(read("'off'", { $0.level(upTo: 10) }).value == .off)
    #expect(read("-200", { $0.level(upTo: 10) }).value == .off)
    #expect(read("-6", { $0.level(upTo: 10) }).value == Decibels(-6))
    #expect(read("[1, 2]", { $0.list { $0.integer(0...9) } }).value == [1, 2])
    let names = read("{pa: 0, far: -3}", { $0.entries(of: Port.self)?.map(\.id) })
    #expect(names.value == ["pa", "far"] && names.problems.isEmpty)
  }

  @Test(
    "The problem of a value out of range, or of another kind, names the values that are allowed",
    arguments: [
      ("12", "12 is above 10; write a number from -90 to 10 dB"),
      ("-90.5", "-90.5 is below -90; write a number from -90 to 10 dB"),
      ("'12'", "\"12\" is text; write a number from -90 to 10 dB"),
      ("true", "true is a yes-or-no value; write a number from -90 to 10 dB"),
      ("null", "null is not a value; write a number from -90 to 10 dB"),
      ("{}", "this is an object; write a number from -90 to 10 dB"),
      ("[1]", "this is a list; write a number from -90 to 10 dB"),
    ])
  func wrongNumber(text: String, problem: String) {
    let (value, problems) = read(text) { $0.number(-90...10, unit: "dB") }
    #expect(value == nil)
    #expect(problems == ["t:1:1: \(problem)"])
  }

  @Test("The problems of other kinds name the allowed values, too")
  func wrong() {
    #expect(
      read("1.5", { $0.integer(0...9) }).problems == [
        "t:1:1: 1.5 is not an integer; write an integer from 0 to 9"
      ])
    #expect(
      read("1e300", { $0.integer(0...(.max)) }).problems == [
        "t:1:1: 1e+300 is not an integer; write an integer from 0 upwards"
      ])
    #expect(
      read("-1", { $0.integer(0...(.max)) }).problems == [
        "t:1:1: -1 is below 0; write a number from 0 upwards"
      ])
    #expect(
      read("11", { $0.level(upTo: 10) }).problems == ["t:1:1: 11 is above 10; write a number up to 10 dB"])
    #expect(read("'on'", { $0.bool() }).problems == ["t:1:1: \"on\" is text; write true or false"])
    #expect(
      read("'x'", { $0.choice(["aa", "bb"]) }).problems == [
        "t:1:1: unknown value \"x\"; write one of \"aa\", \"bb\""
      ])
    #expect(
      read("1", { $0.choice(["aa", "bb"]) }).problems == ["t:1:1: 1 is a number; write one of \"aa\", \"bb\""]
    )
    #expect(read("'abc'", { $0.text(upTo: 2) }).problems == ["t:1:1: the text has 3 bytes; write at most 2"])
    #expect(read("'a\\n'", { $0.text() }).problems.count == 1)
    #expect(read("1", { $0.list { $0 } }).problems == ["t:1:1: 1 is a number; write a list between [ and ]"])
    #expect(
      read("[]", { $0.object(["a"]) }).problems == ["t:1:1: this is a list; write an object between { and }"])
    #expect(read("{a: 1}", { $0.object([]) }).problems == ["t:1:2: a: unknown key \"a\"; remove it"])
  }

  @Test("An invalid key name is reported at the key, and the other keys are read")
  func entries() {
    let (names, problems) = read("{pa: 0,\n  'Far Away': 1, b: 2}") {
      $0.entries(of: Port.self)?.map(\.id.name)
    }
    #expect(names == ["pa", "b"])
    #expect(
      problems == [
        "t:2:3: \"Far Away\": \"Far Away\" is not a valid name; write 1 to 32 of a-z, 0-9, - and _, such as \"far-away\""
      ])
  }

  @Test("A problem that the text reader has reported is not reported again")
  func once() {
    let (_, problems) = read("{gain: NaN, mute: maybe, list: [-1dB]}") { value -> Bool? in
      let object = value.object(["gain", "mute", "list"])
      _ = object?.required("gain")?.number(0...1)
      _ = object?["mute"]?.bool()
      _ = object?["list"]?.list { $0.text() }
      return true
    }
    #expect(problems.count == 3)
  }

  @Test("A caller can report problems of its own")
  func report() {
    let (_, problems) = read("{to: {pa: 1}}") { value -> Bool? in
      for (id, send, _) in value.object(["to"])?["to"]?.entries(of: Port.self) ?? [] {
        send.report("there is no port \(id)", fix: "add it to ports", severity: .warning)
      }
      return true
    }
    #expect(problems == ["t:1:11: warning: to.pa: there is no port pa; add it to ports"])
  }

  @Test("A log keeps a hundred problems and knows whether one of them is an error")
  func log() {
    let log = ProblemLog(file: "t")
    log.report(at: .start, path: DocumentPath(), "w", fix: "f", severity: .warning)
    #expect(!log.hasErrors)
    for _ in 0..<200 { log.report(at: .start, path: DocumentPath(), "e", fix: "f") }
    #expect(log.hasErrors && log.isFull && log.problems.count == 100)
  }
}
