import Testing

@testable import JSON5

@Suite("The JSON5 reader follows the grammar of spec.json5.org")
struct JSON5GrammarTests {
  private func read(_ text: String) -> PositionedValue.Kind? {
    let (value, problems) = JSON5Reader.read(text, file: "t")
    return problems.isEmpty ? value?.kind : nil
  }

  @Test(
    "A number may be written in each way of JSON5",
    arguments: [
      ("0", 0.0, true), ("-0", -0.0, true), ("7", 7, true), ("+7", 7, true), ("-12", -12, true),
      ("0.5", 0.5, false), (".5", 0.5, false), ("-.5", -0.5, false), ("5.", 5, false), ("+5.", 5, false),
      ("1e3", 1000, false), ("1E+3", 1000, false), ("15e-1", 1.5, false), ("5.e1", 50, false),
      ("0e1", 0, false),
      ("0.0", 0, false), ("0x1F", 31, true), ("0XdecAF", 912_559, true), ("-0x10", -16, true),
      ("+0xff", 255, true), ("1e-999", 0, false), ("9007199254740993", 9_007_199_254_740_992, true),
      ("0.1", 0.1, false), ("1.7976931348623157e308", .greatestFiniteMagnitude, false),
    ])
  func number(text: String, value: Double, isInteger: Bool) {
    #expect(read(text) == .number(value, isInteger: isInteger))
  }

  @Test(
    "A text that is not a number of JSON5 is refused as a number",
    arguments: [
      "012", "-01", "00", ".", "+", "-", "1.2.3", "1e", "1e+", "0x", "0xG", "0x1.8", "0x1p3", "--1", "+-1",
      "- 1", "1_000", "12dB", "inf", "-inf", "nan", "1f", "e5", "0b1", "0o7", "1,5", "\u{0661}",
    ])
  func noNumber(text: String) {
    #expect(read(text) == nil)
  }

  @Test(
    "A number that is not finite is refused",
    arguments: ["Infinity", "+Infinity", "-Infinity", "NaN", "+NaN", "-NaN", "1e999", "-1e999", "1e309"])
  func notFinite(text: String) {
    let (value, problems) = JSON5Reader.read("[\(text)]", file: "t")
    #expect(problems.map(\.what) == ["\(text) is not a finite number"])
    #expect(value?.kind == .array([PositionedValue(.unreadable, at: SourcePosition(line: 1, column: 2))]))
  }

  @Test(
    "Text may be written in each way of JSON5",
    arguments: [
      (#""""#, ""), ("''", ""), (#""a""#, "a"), ("'a'", "a"), (#""it's""#, "it's"),
      (#"'say "a"'"#, #"say "a""#),
      (#"'it\'s'"#, "it's"), (#""\"\\\/""#, #""\/"#), (#""\b\f\n\r\t\v\0""#, "\u{8}\u{C}\n\r\t\u{B}\0"),
      (#""\x41\xe9""#, "A\u{E9}"), (#""\u0041\u00E9\u20ac""#, "A\u{E9}\u{20AC}"),
      (#""\uD834\uDD1E""#, "\u{1D11E}"),
      (#""\a\'\q""#, "a'q"), ("\"a\\\nb\"", "ab"), ("\"a\\\r\nb\"", "ab"), ("\"a\\\rb\"", "ab"),
      ("\"a\\\u{2028}b\\\u{2029}c\"", "abc"), ("\"a\u{2028}b\"", "a\u{2028}b"), ("\"\t\"", "\t"),
      ("\"// no /* comment */\"", "// no /* comment */"), ("\"\u{1F3B8}\"", "\u{1F3B8}"),
      ("\"\u{201C}\"", "\u{201C}"),
      (#""\0a""#, "\0a"),
    ])
  func text(text: String, value: String) {
    #expect(read(text) == .string(value))
  }

  @Test(
    "A malformed text is refused",
    arguments: [
      "\"a", "'a\"", "\"a\nb\"", "\"a\rb\"", #""\1""#, #""\01""#, #""\9""#, #""\x4""#, #""\xgg""#,
      #""\u004""#,
      #""\uD834""#, #""\uDD1E""#, #""\uD834\u0041""#, #""\uDD1E\uD834""#, "\"\\", "\"", "\u{201C}a\u{201D}",
      "`a`",
    ])
  func noText(text: String) {
    #expect(read(text) == nil)
  }

  @Test(
    "A key may be an identifier or text",
    arguments: [
      ("a", "a"), ("$a_1", "$a_1"), ("_", "_"), ("null", "null"), ("Infinity", "Infinity"),
      ("\u{FC}ber", "\u{FC}ber"),
      ("\u{30C6}", "\u{30C6}"), (#"\u0061b"#, "ab"), (#"a\u0062"#, "ab"), ("a\u{200D}b", "a\u{200D}b"),
      ("x\u{301}", "x\u{301}"),
      ("'a b'", "a b"), ("\"\"", ""), ("\"a:b\"", "a:b"), ("\u{2160}", "\u{2160}"),
      ("a\u{203F}b", "a\u{203F}b"),
    ])
  func key(text: String, key: String) {
    guard case .object(let members) = read("{\(text): 1}") else {
      Issue.record("\(text) is refused")
      return
    }
    #expect(members.map(\.key) == [key])
  }

  @Test(
    "Any other key is refused",
    arguments: [
      "1", "a-b", "-a", "a.b", "a b", #"\u0031a"#, #"\x61"#, #"a\u00"#, "\u{301}x", "\u{20AC}", "[1]", "",
      "@",
    ])
  func noKey(text: String) {
    #expect(read("{\(text): 1}") == nil)
  }

  @Test(
    "Objects and arrays take comments, trailing commas and all white space",
    arguments: [
      "{a:1,b:[true,false,null]}", "{ a : 1 , b : [ true , false , null , ] , }",
      "// one\n{a:1,/* two **/b:[true,false/*/ three /*/,null]}// four", "/**/{a:1,b:[true,false,null]}/***/",
      "\u{FEFF}{a:1,\u{FEFF}b:\u{A0}[true,\u{2003}false,\u{B}null\u{C}]\t}\r\n",
      "{a:1,b:[true,// c\rfalse,// c\u{2028}null// c\u{2029}]}",
      "{a:1/* c */,b:[true/**/,false// c\n,null]}",
    ])
  func layout(text: String) {
    guard case .object(let members)? = read(text), members.count == 2,
      case .array(let elements) = members[1].value.kind
    else {
      Issue.record("refused: \(text)")
      return
    }
    #expect(members.map(\.key) == ["a", "b"])
    #expect(members[0].value.kind == .number(1, isInteger: true))
    #expect(elements.map(\.kind) == [.bool(true), .bool(false), .null])
  }

  @Test(
    "Misplaced punctuation is refused",
    arguments: [
      "", " ", "// only a comment", "[1 2]", "[1,,2]", "[,]", "[,1]", "{,}", "{a:1 b:2}", "{a 1}", "{a}",
      "{a:}", "{:1}",
      "[1", "[1,", "{a:1", "{a:", "{a", "{", "]", "}", "[1}", "{a:1]", "[1]]", "1 2", "[1] x", "{a:1}}",
      "/* a", "/* a *", "/",
      "[1/2]", "# c\n1", "[1;2]", "{a=1}", "{'a'\n'b':1}", "(1)", "[1]\u{200B}", "undefined", "True",
    ])
  func punctuation(text: String) {
    #expect(read(text) == nil)
  }

  @Test("The members of an object keep the order of the file")
  func order() {
    let keys = (0..<200).map { "k\(($0 * 37) % 200)" }
    let text = "{" + keys.map { "\($0): 1" }.joined(separator: ", ") + "}"
    guard case .object(let members) = read(text) else {
      Issue.record("refused")
      return
    }
    #expect(members.map(\.key) == keys)
  }

  @Test("Every value and key has its line and column")
  func positions() {
    let text = "\u{FEFF}// c\r\n{\r  key: [1,\t'x'],\n  _\u{E9}\u{2028}: /* \n */ {}}"
    guard case .object(let members)? = read(text), members.count == 2,
      case .array(let list) = members[0].value.kind
    else {
      Issue.record("refused")
      return
    }
    #expect(members.map(\.keyPosition.description) == ["3:3", "4:3"])
    #expect(members.map(\.value.position.description) == ["3:8", "5:5"])
    #expect(list.map(\.position.description) == ["3:9", "3:12"])
  }

  @Test("A column is one Unicode scalar")
  func columns() {
    guard case .array(let list)? = read("['\u{1F3B8}e\u{301}', 2]") else {
      Issue.record("refused")
      return
    }
    #expect(list.map(\.position.column) == [2, 9])
  }
}
