public import Parameters
import SessionModel

/// The reference of all addresses, `docs/reference/osc.md`, made from the table.
public enum AddressReference {
  /// The whole page; the same table always gives the same text.
  public static func markdown(of sections: [Table.Section] = Table.sections) -> String {
    var text = introduction
    for section in sections {
      text += "\n## \(section.title)\n\n"
      text += "| address | kind | preset key, scope, right | meaning |\n|---|---|---|---|\n"
      for parameter in section.parameters { text += row(parameter) }
    }
    return text + legend
  }

  private static func row(_ parameter: Parameter) -> String {
    let isReadOnly = !parameter.isWritable && !parameter.isCommand
    let kind = [parameter.kind.name, parameter.range.isEmpty ? "" : "`\(parameter.range)`", parameter.unit]
    // Every host with a permission may read all leaves.
    let right = isReadOnly || parameter.right == .control ? "" : "\(parameter.right)"
    let places = [parameter.key.map { "`\($0)`" } ?? "", parameter.scope?.rawValue ?? "", right]
    let cells = [
      "`\(parameter.address)`", joined(kind, by: " ") + (isReadOnly ? ", read-only" : ""),
      joined(places, by: ", "), parameter.summary,
    ]
    return "| \(cells.joined(separator: " | ")) |\n"
  }

  /// Joins the words that are not empty.
  private static func joined(_ words: [String], by separator: String) -> String {
    words.filter { !$0.isEmpty }.joined(separator: separator)
  }

  private static let introduction = """
    # OSC reference

    Every address, made from the table in `Sources/Model/Parameters/Table`. [law/osc.md](../develop/law/osc.md) has the rules: patterns, bundles, subscriptions, errors.

    `<s>` is a session, `<t>` a stream, `<o>` an output, `<i>` an input, `<p>` a player, `<r>` a recorder, `<x>` another session, `<c>` a session with a capture,
    `<source>` a source of interruptions such as `phone`, `<strip>` a strip (1 to 64), `<bank>` a bank of strips (1 to 8), `<n>` a number from 1.

    An address sets with an argument, and answers its value without one. `/get ,s address` reads anything and never fires. Levels are in dB, times in seconds.
    The third column has the key in a preset, the scope (a recall changes only what `/preset/scope` names), and the right, where it is not `control`.

    """

  private static let legend = """

    ## What every kind has

    | kind | takes | answers | beyond its range | also has |
    |---|---|---|---|---|
    | level | `i f h d T F`, numeric `s`, `off`, `-inf` | `f` | below is off; above is refused | `fader` beside it (0..1), `/text`, and what a number has |
    | number | `i f h d T F`, numeric `s` | `f` | clamped, and the applied value answered | `/inc f`, `/reset`, `/fade f f` (value, seconds), `/fade/stop`, `/touch` |
    | number or inherit | as number, or `s` inherit | `f`, or `s` inherit | as number | as number |
    | integer | as number, rounded | `i` | refused | |
    | switch | `i f h d` (0.5 and more is on), `T F`, `s` true false on off 1 0 | `i` | | `/toggle` |
    | choice | `s` in any case | `s` | refused | `/<value>` (a trigger and a lamp), `/index`, `/next`, `/prev` |
    | text | `s S`, at most 256 bytes | `s` | refused | |
    | texts | one or more `s`, or `none` | `s...` | refused | |
    | ports | one or more `s`, or `none`: a glob of JACK names such as `mpv:out_*`; `{application=Firefox,media=Some song,node=*}` with or without a glob behind it, for programs of one JACK name; `2=` before an entry gives its ports to channel 2 | `s...` | refused | |
    | meter | | `f...` dBFS per channel, or `f` 0..1 for one | | sent to subscribers only |
    | trigger | nothing, `N I T`, a number | | | |
    | command | as its range says | see its meaning | | |

    A trigger fires without argument and with `N`, `I`, `T` or a number of 0.5 and more; its release is ignored.
    """ + "\n"
}
