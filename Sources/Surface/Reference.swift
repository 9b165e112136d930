public import Parameters

/// The reference of all addresses, `docs/osc.md`, made from the table.
public enum Reference {
  /// The whole page; the same table always gives the same text.
  public static func markdown(of parameters: [Parameter] = Table.parameters) -> String {
    var groups: [(title: String, parameters: [Parameter])] = []
    for parameter in parameters {
      let title = title(of: parameter)
      if let index = groups.firstIndex(where: { $0.title == title }) {
        groups[index].parameters.append(parameter)
      } else {
        groups.append((title, [parameter]))
      }
    }
    var text = introduction
    for group in groups {
      text += "\n## \(group.title)\n\n"
      text +=
        "| address | kind | range | unit | preset key | right | meaning |\n|---|---|---|---|---|---|---|\n"
      for parameter in group.parameters { text += row(parameter) }
    }
    return text + legend
  }

  private static func row(_ parameter: Parameter) -> String {
    let kind =
      parameter.isWritable || parameter.isCommand ? parameter.kind.name : "\(parameter.kind.name), read-only"
    // Who may read at all may read everything.
    let right = parameter.isWritable || parameter.isCommand ? "\(parameter.right)" : ""
    let cells = [
      "`\(parameter.address)`", kind, parameter.range.isEmpty ? "" : "`\(parameter.range)`", parameter.unit,
      parameter.key.map { "`\($0)`" } ?? "", right == "control" ? "" : right, parameter.summary,
    ]
    return "| \(cells.joined(separator: " | ")) |\n"
  }

  /// What the address is about: its first part, and streams and captures apart from their session.
  private static func title(of parameter: Parameter) -> String {
    let parts = parameter.parts
    switch parts[0] {
    case "session" where parts.count > 2 && parts[2] == "stream": return "Streams"
    case "session" where parts.count > 2 && parts[2] == "capture": return "Captures"
    case "session": return "Sessions"
    case "output": return "Outputs"
    case "input": return "Inputs"
    case "meter": return "Meters"
    case "duck", "interruption", "silent": return "Ducking, interruptions, silent switch"
    case "system", "ramp", "fade", "media", "align": return "The router"
    default: return "Clients"
    }
  }

  private static let introduction = """
    # OSC reference

    Every address that this version understands. The page is made from the table in `Sources/Parameters/Table`, which dispatch,
    errors, discovery and preset keys are made from, too; `MULTIROUTE_REGENERATE=1 swift test --filter ReferenceTests`
    writes it anew after a change of the table.

    In an address `<s>` is a session, `<t>` a stream, `<o>` an output, `<i>` an input, `<x>` another session, `<source>` a source of
    interruptions such as `phone`, and `<n>` a number from 1.
    With an argument an address sets; without one it is a get, answered on the same address. `/get ,s address` reads anything
    and never fires. Levels are in dB, times in seconds. A right is named only where it is not `control`.

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
    | meter | | `f...` dBFS per channel, or `f` 0..1 for one | | sent to subscribers only |
    | trigger | nothing, `N I T`, a number | | | |
    | command | as its range says | see its meaning | | |

    A trigger fires without argument and with `N`, `I`, `T` or a number of 0.5 and more; its release is ignored.
    """ + "\n"
}
