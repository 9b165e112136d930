public import Parameters
import SessionModel

/// The reference of all addresses, `docs/reference/osc.md`, made from the table.
public enum AddressReference {
  /// The whole page; the same table always gives the same text.
  public static func markdown(of sections: [Table.Section] = Table.sections) -> String {
    var text = introduction
    for section in sections {
      text += "\n## \(section.title)\n\n"
      text +=
        "| address | kind | range | unit | preset key | scope | right | meaning |\n|---|---|---|---|---|---|---|---|\n"
      for parameter in section.parameters { text += row(parameter) }
    }
    return text + legend
  }

  private static func row(_ parameter: Parameter) -> String {
    let kind =
      parameter.isWritable || parameter.isCommand ? parameter.kind.name : "\(parameter.kind.name), read-only"
    // Every host with a permission may read all leaves.
    let right = parameter.isWritable || parameter.isCommand ? "\(parameter.right)" : ""
    let cells = [
      "`\(parameter.address)`", kind, parameter.range.isEmpty ? "" : "`\(parameter.range)`", parameter.unit,
      parameter.key.map { "`\($0)`" } ?? "", parameter.scope?.rawValue ?? "",
      right == "control" ? "" : right, parameter.summary,
    ]
    return "| \(cells.joined(separator: " | ")) |\n"
  }

  private static let introduction = """
    # OSC reference

    Every address that this version understands. The page is made from the table in `Sources/Model/Parameters/Table`, which dispatch,
    errors, discovery and preset keys are made from, too; `MULTIROUTE_REGENERATE=1 swift test --filter ReferenceTests`
    writes it anew after a change of the table.

    In an address `<s>` is a session, `<t>` a stream, `<o>` an output, `<i>` an input, `<p>` a player, `<r>` a recorder, `<x>` another session, `<c>` a session with a capture, `<source>` a source of
    interruptions such as `phone`, `<strip>` a strip (1 to 64), `<bank>` a bank of strips (1 to 8), and `<n>` a number from 1.
    With an argument an address sets; without one it is a get, answered on the same address. `/get ,s address` reads anything
    and never fires. Levels are in dB, times in seconds. A right is named only where it is not `control`.
    The scope is the part of the settings that a leaf belongs to: a recall changes only the parts that `/preset/scope` names.
    The rules behind the list, such as patterns, bundles, subscriptions and errors, are in [law/osc.md](../develop/law/osc.md).

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
