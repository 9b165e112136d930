/// A page for man(1), in the language man(7).
struct ManPage {
  let name: String
  let section: Int
  private(set) var text: String

  /// - Parameters:
  ///   - name: the page's name, such as `multiroute-run`.
  ///   - purpose: a clause without a full stop.
  ///   - date: the day of the page, such as `2026-11-28`.
  init(_ name: String, _ section: Int, _ purpose: String, date: String, version: String) {
    (self.name, self.section) = (name, section)
    text = """
      .TH \(name.uppercased()) \(section) \(date) "multiroute \(version)"
      .nh
      .ad l
      .SH NAME
      \(name) \\- \(Self.escaped(purpose))

      """
  }

  var file: String { "\(name).\(section)" }

  mutating func title(_ title: String) { text += ".SH \(title)\n" }
  mutating func subtitle(_ title: String) { text += ".SS \"\(Self.escaped(title))\"\n" }

  mutating func paragraph(_ words: String) { text += "\(gap)\(Self.sentences(words))\n" }

  /// What parts a paragraph from the last one; a title parts already.
  private var gap: String {
    let last = text.split(separator: "\n").last ?? ""
    return last.hasPrefix(".SH") || last.hasPrefix(".SS") ? "" : ".PP\n"
  }

  /// A term in bold, and its meaning.
  mutating func entry(_ term: String, _ meaning: String) {
    text += ".TP\n\\fB\(Self.escaped(term))\\fP\n\(Self.sentences(meaning))\n"
  }

  /// Lines that stay as they are.
  mutating func lines(_ lines: [String]) {
    text += "\(gap).nf\n\(lines.map { "\\fB\(Self.escaped($0))\\fP" }.joined(separator: "\n"))\n.fi\n"
  }

  /// Each sentence on a line of its own, as man(7) wants it.
  private static func sentences(_ text: String) -> String {
    escaped(text.replacing("\n", with: " ")).replacing(". ", with: ".\n").split(separator: "\n").map { line in
      line.first == "." || line.first == "'" ? "\\&\(line)" : String(line)
    }.joined(separator: "\n")
  }

  /// The characters that the formatter would take for its own, or draw as others (groff_char(7)).
  private static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default: result.append(character)
      }
    }
    return result
  }
}
