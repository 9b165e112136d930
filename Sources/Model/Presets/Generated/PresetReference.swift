import JSON5
import Numbers
import Parameters

/// The lists of keys in the documentation of presets, generated from the keys that the reader accepts.
public enum PresetReference {
  /// Markdown with a section and a list for each kind of object, starting with the document. The parts of a kept state are left
  /// out: only routers write them, and the schema has their keys.
  public static var text: String {
    sections.map { section in
      let keys = section.keys.map { "- `\($0.name)` (\($0.values)): \(escaped($0.meaning))" }
      return (["### \(section.title)", "", section.summary, ""] + keys + [""]).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// The keys of one kind of object.
  public struct Section: Sendable {
    /// The kind, and where such objects stand.
    public let title: String
    public let summary: String
    /// Each key with its possible values and its meaning, in Markdown.
    public let keys: [(name: String, values: String, meaning: String)]
  }

  /// One section for each kind of object, starting with the document, without the parts of a kept state.
  public static var sections: [Section] {
    PresetObject.all.filter { !$0.place.hasPrefix("kept") }.map(section)
  }

  private static func section(_ kind: PresetObject) -> Section {
    let title = kind.name.prefix(1).uppercased() + kind.name.dropFirst()
    let fields = kind.fields.map { field in
      let mark = kind.required.contains(field.key) ? "; required" : ""
      return (name: field.key, values: words(for: field.shape) + mark, meaning: field.summary)
    }
    let leaves = kind.leaves.map { (name: $0, values: words(for: $1), meaning: $1.summary) }
    return Section(
      title: title + (kind.place.isEmpty ? "" : ": `\(kind.place)`"), summary: kind.summary,
      keys: fields + leaves)
  }

  private static func words(for parameter: Parameter) -> String {
    switch parameter.kind {
    case .level: level
    case .number(let range): number(range, unit: parameter.unit)
    case .inheritable(let range): "\(number(range, unit: parameter.unit)), or `\"inherit\"`"
    case .limit(let range): "\(number(range, unit: parameter.unit)), or `\"\(Kind.noLimit)\"`"
    case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .toggle: toggle
    case .inheritableToggle: "\(toggle), or `\"inherit\"`"
    case .choice(let names): choice(names)
    case .text: "text"
    case .texts: "list of texts"
    case .names(let names): "list of \(choice(names))"
    case .programPorts:
      "list of JACK ports and [programs](#programs), or an object with such a list for each channel"
    case .effects: "list as in `chains`, or the id of one"
    case .trigger, .command, .meter: ""
    }
  }

  private static func words(for shape: PresetObject.Shape) -> String {
    switch shape {
    case .version: "`1`"
    case .number(let range, let unit): number(range, unit: unit)
    case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .toggle: toggle
    case .choice(let names): choice(names)
    case .text, .longText, .form: "text"
    case .slug: "id"
    case .list(.choice(let names)): "list of \(choice(names))"
    case .list(.list(let element)): "list of lists of \(words(for: element))s"
    case .list(let element), .someOf(let element): "list of \(words(for: element))s"
    case .object(let name): "object (\(name))"
    case .someTexts(let name): "list of texts, or an object (\(name))"
    case .level(let name): "\(level), or an object (\(name))"
    case .entries(_, let entry, _): "each member: \(words(for: entry))"
    case .effects: "list of texts, or of objects with `plugin`, `preset`, `set`, `on`, `sidechain`"
    case .settings: "each member: an address and its value"
    }
  }

  /// Escapes angle brackets, since Markdown reads them as markup.
  private static func escaped(_ text: String) -> String { text.replacing("<", with: "&lt;") }

  private static let level = "level"
  private static let toggle = "`true`/`false`"

  private static func number(_ range: ClosedRange<Double>, unit: String) -> String {
    "\(range.lowerBound.shortText) to \(range.upperBound.shortText)\(unit.isEmpty ? "" : " \(unit)")"
  }

  private static func choice(_ names: [String]) -> String {
    names.map { "`\($0)`" }.joined(separator: " ")
  }
}
