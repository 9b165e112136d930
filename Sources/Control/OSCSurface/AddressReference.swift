public import Parameters
import SessionModel

/// The reference of all addresses, `docs/reference/osc.md`, made from the table.
public enum AddressReference {
  /// The whole page; the same table always gives the same text.
  public static func markdown(of sections: [Table.Section] = Table.sections) -> String {
    var text = introduction
    for section in sections {
      text += "\n## \(section.title)\n\n" + rows(of: section.parameters)
    }
    return text + legend
  }

  /// A row for each meaning: addresses of which the page says the same stand in one row, that of the first.
  private static func rows(of parameters: [Parameter]) -> String {
    var meanings: [String] = []
    for meaning in parameters.map(meaning) where !meanings.contains(meaning) { meanings.append(meaning) }
    let addresses = Dictionary(grouping: parameters, by: meaning)
    return meanings.map { meaning in
      "- \(written(addresses[meaning, default: []].map(\.address))) \(meaning)\n"
    }.joined()
  }

  /// Addresses that differ in one place as one text, such as `/a/{b,c}/d`; others as a list.
  private static func written(_ addresses: [String]) -> String {
    let parts = addresses.map { $0.dropFirst().split(separator: "/") }
    let first = parts[0]
    func alike(_ part: ([Substring]) -> Substring?) -> Bool { parts.allSatisfy { part($0) == part(first) } }
    let start = first.indices.first { place in !alike { $0.count > place ? $0[place] : nil } } ?? first.count
    let shortest = parts.map { $0.count - start }.min() ?? 0
    let end = (1..<max(1, shortest)).prefix { back in alike { $0[$0.count - back] } }.count
    guard addresses.count > 1, start + end > 0, shortest > end else {
      return addresses.map { "`\($0)`" }.joined(separator: ", ")
    }
    let others = parts.map { $0[start..<($0.count - end)].joined(separator: "/") }.joined(separator: ",")
    return "`/" + (first[..<start] + ["{\(others)}"] + first.suffix(end)).joined(separator: "/") + "`"
  }

  /// What the page says of an address.
  private static func meaning(_ parameter: Parameter) -> String {
    let isReadOnly = !parameter.isWritable && !parameter.isCommand
    let kind = [parameter.kind.name, parameter.range.isEmpty ? "" : "`\(parameter.range)`", parameter.unit]
    // Every host with a permission may read all leaves.
    let right = isReadOnly || parameter.right == .control ? "" : "\(parameter.right)"
    let places = [parameter.key.map { "`\($0)`" } ?? "", parameter.scope?.rawValue ?? "", right]
    let facts = [joined(kind, by: " "), isReadOnly ? "read-only" : "", joined(places, by: ", ")]
    return "(\(joined(facts, by: "; "))): \(parameter.summary)"
  }

  /// Joins the words that are not empty.
  private static func joined(_ words: [String], by separator: String) -> String {
    words.filter { !$0.isEmpty }.joined(separator: separator)
  }

  private static let introduction = """
    # OSC reference

    Every address, made from the table in `Sources/Model/Parameters/Table`. [law/osc.md](../develop/law/osc.md) has the rules: patterns, bundles, subscriptions, errors.

    `<s>` is a session, `<t>` a stream, `<o>` an output, `<i>` an input, `<p>` a player, `<r>` a recorder, `<x>` another session, `<c>` a session with a capture,
    `<source>` a source of interruptions such as `phone`, `<strip>` a strip (1 to 64), `<bank>` a bank of strips (1 to 8), `<g>` a group, `<n>` a number from 1, `{a,b}` each of them.

    An address sets with an argument, and answers its value without one. `/get ,s address` never fires. A list answers one message per thing. Levels are in dB, times in seconds.
    In parentheses stand the [kind](#kinds) with range and unit, the key in a preset, the scope (a recall changes only what `/preset/scope` names), and the right, where it is not `control`.

    """

  private static let legend = """

    ## Kinds

    [law/osc.md](../develop/law/osc.md#2-leaf-kinds) says what each kind takes, answers and refuses, and [what else it has](../develop/law/osc.md#3-shorthands): `fader`, `/text`, `/inc`, `/reset`, `/fade`, `/touch`, `/toggle`, a trigger and lamp for each value of a choice.

    Ports are one or more texts as [of a preset](../guide/presets.md#programs), or `none`.
    """ + "\n"
}
