import Testing

@testable import JSON5

@Suite("The reader reports every problem once, at its place")
struct ReaderProblemTests {
  private func problems(_ text: String) -> [String] {
    JSON5Reader.read(text, file: "t").problems.map(\.description)
  }

  @Test("All problems of a document are reported at once, sorted, each with its path")
  func allAtOnce() {
    let text = """
      {
        multiroute: 1,
        title: \u{201C}Show\u{201D},
        ports: {
          "pa": { type: usbAudio, outputs: ["a" "b"], gain: -6 dB },
          walk-in: 012, x: NaN, "pa": 3, # why
          from: ardour:master/*, // a glob
          y 3, z = 4; q: True,, w: 1 v: 2,
          u: "\\u12G \\ud800 \\7"
        },
        safe: [, -Infinity],
      }
      """
    #expect(
      problems(text) == [
        "t:3:10: title: \u{201C} is a typographic quote, which JSON5 does not know; write \"",
        "t:5:19: ports.pa.type: usbAudio is text without quotes; write \"usbAudio\"",
        "t:5:42: ports.pa.outputs: a comma is missing here; write , between one value and the next",
        "t:5:55: ports.pa.gain: -6 dB is not a number; write a number such as -6 or 0.5, without a unit or leading zeros",
        "t:6:5: ports: the key walk-in needs quotes; write \"walk-in\"",
        "t:6:14: ports.walk-in: 012 is not a number; write a number such as -6 or 0.5, without a unit or leading zeros",
        "t:6:22: ports.x: NaN is not a finite number; write a finite one",
        "t:6:27: ports.pa: \"pa\" is already given in line 5; keep one of the two",
        "t:6:36: ports: # starts no comment; write //",
        "t:7:11: ports.from: ardour:master/* is text without quotes; write \"ardour:master/*\"",
        "t:8:6: ports.y: a colon is missing here; write : between key and value",
        "t:8:12: ports.z: = stands where a colon belongs; write :",
        "t:8:15: ports: ; stands where a comma belongs; write ,",
        "t:8:20: ports.q: True is not known; write true",
        "t:8:25: ports: there is nothing before this comma; remove the comma",
        "t:8:31: ports: a comma is missing here; write , between one value and the next",
        "t:9:9: ports.u: \\u is not followed by 4 hexadecimal digits; write them, or \\\\ for a backslash",
        "t:9:15: ports.u: this escape is half of a pair; write both halves, or the character itself",
        "t:9:22: ports.u: \\7 is not an escape of JSON5; write \\x or \\u and hexadecimal digits",
        "t:11:10: safe: there is nothing before this comma; remove the comma",
        "t:11:12: safe[0]: -Infinity is not a finite number; write a finite one",
      ])
    #expect(
      JSON5Reader.read(text, file: "t").value != nil, "the brackets are certain, so the document has a value")
  }

  @Test(
    "One mistake is one problem",
    arguments: [
      ("{", "t:1:1: this { is never closed; add the missing }"),
      ("{a: [1, {b: 2}", "t:1:5: a: this [ is never closed; add the missing ]"),
      ("{a:", "t:1:1: this { is never closed; add the missing }"),
      ("{a: 1, b", "t:1:1: this { is never closed; add the missing }"),
      ("{a: [1, 2}, b: 3}", "t:1:10: a: } cannot close the [ at 1:5; write ] before or instead"),
      ("{a: {b: [1}, c: 2}", "t:1:11: a.b: } cannot close the [ at 1:9; write ] before or instead"),
      (
        "{a: 1}}",
        "t:1:7: } follows after the end of the document; remove it, or a bracket too many before it"
      ),
      (
        "{a: 1} {b: 2}",
        "t:1:8: { follows after the end of the document; remove it, or a bracket too many before it"
      ),
      ("{a: 1, /* b: 2}\n\n", "t:1:8: this comment is never closed; write */ at its end"),
      (
        "{a: 'x, b: 1,\n c: 2}",
        "t:1:5: a: this text is never closed; write ' at its end, and \\n for a new line in it"
      ),
      (
        "{o: {a: \"x },\n c: {d: [1]}}",
        "t:1:9: o.a: this text is never closed; write \" at its end, and \\n for a new line in it"
      ),
      (
        "{\"a: 1,\n b: 2}",
        "t:1:2: this text is never closed; write \" at its end, and \\n for a new line in it"
      ),
      (
        "{\"a: {\n b: 2},\n b: 3}",
        "t:1:2: this text is never closed; write \" at its end, and \\n for a new line in it"
      ),
      (
        "{t: \"x, \"c\": \"y\", \"d\": 1},\n b: 3}",
        "t:1:5: t: the text \"x, \" is directly followed by c; close each text with the quote it began with, and write \\\" for a quote within"
      ),
      (
        "{t: \"say \"hi\" now\", u: 1}",
        "t:1:5: t: the text \"say \" is directly followed by hi; close each text with the quote it began with, and write \\\" for a quote within"
      ),
      (
        "{a: \"x\\\ny, b: 1\n}",
        "t:1:5: a: this text is never closed; write \" at its end, and \\n for a new line in it"
      ),
      ("{a: 1 : 2, b: [3}", "t:1:7: : stands where a comma belongs; write , or close the bracket"),
      ("{a: [1] : 2, b: 3,\n c: 1}", "t:1:9: : stands where a comma belongs; write , or close the bracket"),
      ("{a: : 1}", "t:1:5: a: : stands where a value belongs; write a value"),
      ("{{a: 1}}", "t:1:2: { stands where a key belongs; write a key, a colon and a value"),
      ("{a: , b: 1}", "t:1:5: a: a value is missing before ,; write the value"),
      ("{a: {b: }, c: 1}", "t:1:9: a.b: a value is missing before }; write the value"),
      ("{a\n b: 1}", "t:1:3: a: the key has no value; write : and a value after it"),
      ("{a, b: 1}", "t:1:3: a: the key has no value; write : and a value after it"),
      ("{o: {a} b: 1}", "t:1:7: o.a: the key has no value; write : and a value after it"),
      ("{band\": {b: 2}, c: 3}", "t:1:2: band\" has no quote before it; write \"band\""),
      ("{a: play on', c: 3}", "t:1:5: a: play on' has no quote before it; write \"play on\""),
      ("{a: tr'e, b: 1}", "t:1:5: a: tr' has no quote before it; write \"tr\""),
      ("{7 x: y, b: 1}", "t:1:2: the key 7 needs quotes; write \"7\""),
      ("}", "t:1:1: a value is missing before }; write the value"),
      ("[1,,,,2]", "t:1:4: there is nothing before this comma; remove the comma"),
      (
        "{a: hello my friend, b: 1}",
        "t:1:5: a: hello my friend is text without quotes; write \"hello my friend\""
      ),
      ("", "t:1:1: the file is empty; write an object between { and }"),
      (" // nothing\n", "t:1:1: the file is empty; write an object between { and }"),
    ])
  func onlyOnce(text: String, problem: String) {
    let found = problems(text)
    #expect(found.first == problem)
    // This row has two: the missing value in the inner object must not hide the missing comma after it.
    let expected = text.hasPrefix("{o: {a}") ? 2 : 1
    #expect(found.count == expected, "\(found)")
  }

  @Test("Lines after a text without end are still checked")
  func afterBrokenText() {
    let text = "{\n a: \"x,\n b: 012,\n c: maybe\n}"
    #expect(problems(text).map { $0.prefix(5) } == ["t:2:5", "t:3:5", "t:4:5"])
    #expect(
      JSON5Reader.read(text, file: "t").value == nil,
      "the brackets are uncertain, so the document has no value")
  }

  @Test("Of a repeated key the first value counts, and each repetition is a problem")
  func duplicates() {
    let (value, problems) = JSON5Reader.read("{a: 1,\n \"a\": 2,\n 'a': {b: 3},\n \\u0061: 4}", file: "t")
    #expect(problems.map(\.position.description) == ["2:2", "3:2", "4:2"])
    #expect(problems.allSatisfy { $0.what == "\"a\" is already given in line 1" && $0.path == "a" })
    guard case .object(let members)? = value?.kind else {
      Issue.record("no object")
      return
    }
    #expect(members.map(\.value.kind) == [.number(1, isInteger: true)])
  }

  @Test("The same key in two objects is no duplicate")
  func noDuplicates() {
    #expect(problems("{a: {a: 1}, b: {a: 1}, A: [{a: 1}, {a: 2}]}").isEmpty)
  }

  @Test("Bytes that are not UTF-8 are reported at their place, and the rest is read")
  func malformed() {
    let bytes =
      Array("{a: 'gr".utf8) + [0xF6, 0xDF] + Array("e',\n b: ".utf8) + [0xFF] + Array(", c".utf8) + [0xC3]
      + Array(": 012}".utf8)
    let problems = JSON5Reader.read(bytes, file: "t").problems
    #expect(problems.map(\.position.description) == ["1:8", "2:5", "2:9", "2:12"])
    #expect(problems.map(\.what).prefix(3).allSatisfy { $0 == "these bytes are not UTF-8" })
  }

  @Test(
    "A file in UTF-16 is recognised",
    arguments: [[0xFF, 0xFE, 0x7B, 0], [0xFE, 0xFF, 0, 0x7B]] as [[UInt8]])
  func utf16(bytes: [UInt8]) {
    #expect(JSON5Reader.read(bytes, file: "t").problems.map(\.what) == ["the file is UTF-16"])
  }

  @Test("Nesting is read to a depth of 64 and refused beyond it, with one problem")
  func depth() {
    let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(problems(deepest).isEmpty)
    let tooDeep = JSON5Reader.read("[\(deepest)]", file: "t")
    #expect(tooDeep.value == nil)
    #expect(tooDeep.problems.map(\.position.column) == [65])
    #expect(problems(String(repeating: "{a:[", count: 200_000)).count == 1)
  }

  @Test("A file of 1 MiB is read, one byte more is refused")
  func size() {
    let largest = "[" + String(repeating: " ", count: (1 << 20) - 2) + "]"
    #expect(problems(largest).isEmpty)
    #expect(problems(largest + "\n").map { $0.hasPrefix("t:1:1: the file has 1048577 bytes") } == [true])
  }

  @Test("Reading ends after a hundred problems, and one more problem says so")
  func manyProblems() {
    let text = "[" + String(repeating: "x,\n", count: 1_000) + "]"
    let problems = JSON5Reader.read(text, file: "t").problems
    #expect(problems.count == 101)
    #expect(problems.last?.what == "there are more than 100 problems; reading stops here")
  }

  @Test("Messages show long text shortened and control characters as escapes")
  func harmless() {
    let long = String(repeating: "x", count: 1_000)
    #expect(problems("[\(long)]").allSatisfy { $0.count < 200 })
    let colour = problems("{'a\u{1B}[31m\u{202E}': x}").joined()
    #expect(!colour.unicodeScalars.contains("\u{1B}") && !colour.unicodeScalars.contains("\u{202E}"))
    #expect(colour.contains("u{001B}") || colour.contains("u{1B}"), "\(colour)")
  }

  @Test("Problems sort by file, line and column, and a warning begins with that word")
  func problemOrder() {
    func problem(_ file: String, _ line: Int, _ column: Int) -> Problem {
      Problem(
        file: file, position: SourcePosition(line: line, column: column), path: "", what: "w", fix: "f",
        aspect: .syntax)
    }
    let sorted = [problem("a", 2, 10), problem("a", 10, 2), problem("a", 10, 11), problem("b", 1, 1)]
    #expect(sorted.reversed().sorted() == sorted)
    var warning = problem("a", 3, 4)
    warning.severity = .warning
    #expect(warning.description == "a:3:4: warning: w; f")
  }
}
