import Chance

/// Writes random documents that use the freedoms of JSON5, except those in which the toolchain's decoder departs from its
/// specification: it refuses `\v`, `\0` and escaped letters without meaning, white space beyond ASCII and a comment that a line
/// separator ends; it keeps the line break of a continued line and the escapes of a key without quotes.
struct RandomJSON5 {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// An object or array, with space and comments around it.
  mutating func document() -> String {
    space() + (chance(2) ? object(depth: 0) : array(depth: 0)) + space()
  }

  private mutating func value(depth: Int) -> String {
    switch number(0..<(depth < 4 ? 9 : 6)) {
    case 0: pick(["true", "false", "null"])
    case 1, 2: numeral()
    case 3, 4, 5: text()
    case 6, 7: object(depth: depth + 1)
    default: array(depth: depth + 1)
    }
  }

  private mutating func object(depth: Int) -> String {
    var keys: Set<String> = []
    var members: [String] = []
    for index in 0..<number(0..<6) {
      let name = "k\(index)"
      keys.insert(name)
      let written = pick([
        name, "\"\(name)\"", "'\(name)'", "\"\(name) \u{E9}: {\"", "$\(name)", "_\(name)", "\u{3B1}\(name)",
      ])
      members.append(written + space() + ":" + space() + value(depth: depth))
    }
    return "{" + joined(members) + "}"
  }

  private mutating func array(depth: Int) -> String {
    var elements: [String] = []
    for _ in 0..<number(0..<6) { elements.append(value(depth: depth)) }
    return "[" + joined(elements) + "]"
  }

  private mutating func joined(_ items: [String]) -> String {
    var text = space()
    for (index, item) in items.enumerated() {
      text += item + space()
      if index < items.count - 1 || chance(3) { text += "," + space() }
    }
    return text
  }

  private mutating func numeral() -> String {
    let sign = pick(["", "", "-", "+"])
    let digits = "\(number(0..<100_000))"
    switch number(0..<8) {
    case 0: return sign + "0x" + String(number(0..<1 << 40), radix: 16, uppercase: chance(2))
    case 1: return sign + "." + digits
    case 2: return sign + digits + "."
    case 3: return sign + digits + pick(["e", "E"]) + pick(["", "+", "-"]) + "\(number(0..<290))"
    case 4: return sign + digits + "." + digits + "e-\(number(0..<12))"
    case 5: return "\(Double.random(in: -1e6...1e6, using: &random))"
    default: return sign + digits
    }
  }

  private mutating func text() -> String {
    let quote = pick(["\"", "'"])
    var content = ""
    for _ in 0..<number(0..<12) {
      content += pick([
        "a", "Z", " ", ":", ",", "{", "//", "/*", "\u{E9}", "\u{20AC}", "\u{1F3B8}", "\\n", "\\t", "\\b",
        "\\f", "\\r", "\\\\",
        "\\/", "\\\"", "\\'", "\\u0041", "\\u00e9", "\\uD83C\\uDFB8", "\\x41", quote == "'" ? "\"" : "'",
      ])
    }
    return quote + content + quote
  }

  private mutating func space() -> String {
    guard chance(2) else { return "" }
    return pick([
      " ", "\n", "\t", "\r\n", "  ", "/* c */", "/**/", "// c\n", " // it's \"c\"\n ", "/* {\n */", "\u{B}",
      "\u{C}",
    ])
  }

  private mutating func chance(_ one: Int) -> Bool { number(0..<one) == 0 }
  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
  private mutating func pick(_ choices: [String]) -> String { choices[number(0..<choices.count)] }
}
