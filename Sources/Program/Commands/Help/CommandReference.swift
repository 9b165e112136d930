/// The reference of the command line as Markdown, made from the table of commands; it is `docs/reference/cli.md`.
public enum CommandReference {
  /// The whole page.
  public static var markdown: String {
    let lines: [String] =
      introduction + CommandTable.commands.flatMap(section) + commonOptions + folders + configuration
      + exitCodes
    return lines.joined(separator: "\n") + "\n"
  }

  private static let introduction = [
    "# The command line", "",
    "`multiroute help --markdown` writes this page; `multiroute help COMMAND` has more examples, and the exit codes.",
    "Options that are not explained at a command are [options of several commands](#options-of-several-commands). Every command that",
    "asks a router takes `--to` and `--timeout`; its line leaves them out.",
    "",
    "Data goes to standard output, messages for people to standard error. Colour appears on terminals only,",
    "never with `NO_COLOR`. Flags are written `--flag VALUE` or `--flag=VALUE`; after `--` nothing is a flag.",
    "A negative number is a value.",
    "",
  ]

  private static func section(_ command: CommandDescription) -> [String] {
    let usage =
      command.usage.contains(asking[0]) ? command.usage.filter { !asking.contains($0) } : command.usage
    var lines = ["## multiroute \(command.name.rawValue)", "", HelpPage.sentence(command), "", "```"]
    lines += Wrapping.lines(
      usage.map { $0.replacing(" ", with: "\u{A0}") }.joined(separator: " "), width: 100
    )
    .enumerated().map { ($0 > 0 ? "    " : "") + $1.replacing("\u{A0}", with: " ") }
    lines += ["```", ""]
    for detail in command.details { lines += [escaped(detail), ""] }
    let options = command.flags.map(option).filter { !common.contains($0) }
    lines += list(command.positionals.map { item($0.name, $0.summary) } + options)
    // The help of the command has all examples, and its exit codes. A command without arguments needs no example.
    if let example = command.examples.first, example.line != "multiroute \(command.name.rawValue)" {
      lines += ["Example: `\(example.line)`", ""]
    }
    return lines
  }

  /// The options of every command that asks a router, as its usage has them.
  private static let asking = [Flag.to, .timeout].map { "[\($0.usage)]" }

  /// The options that several commands take with the same meaning, described once.
  private static let common: [String] = {
    let items = CommandTable.commands.flatMap { $0.flags.map(option) }
    return items.indices.filter { place in
      items.firstIndex(of: items[place]) == place && items[(place + 1)...].contains(items[place])
    }.map { items[$0] }
  }()

  private static let commonOptions = ["## Options of several commands", ""] + list(common)

  private static let folders = [
    "## Folders", "",
    "Each is looked for in this order. The shipped files are in `../share/multiroute`, seen from the program's folder,",
    "or in the folder that `MULTIROUTE_SHARE` names.",
    "",
    "- configuration: `$XDG_CONFIG_HOME/multiroute/config.json` (`~/.config`), `/etc/multiroute/config.json`, the shipped files",
    "- presets: `$XDG_CONFIG_HOME/multiroute/presets`, `/etc/multiroute/presets`, the shipped files",
    "- media: `$XDG_DATA_HOME/multiroute/media` (`~/.local/share`), the shipped files",
    "- state: `$XDG_STATE_HOME/multiroute` (`~/.local/state`)",
    "- sockets: `$XDG_RUNTIME_DIR/multiroute`, which is made; `/run/multiroute` if it exists; else none",
    "",
  ]

  private static let configuration =
    [
      "## The configuration", "",
      "JSON5: comments and trailing commas are welcome. A start reports every problem. A flag overrides the file. A relative path starts at the file's folder.",
      "",
    ]
    + list(
      ConfigurationKey.allCases.map { key in
        "- `\(key.rawValue)`\(key.example.isEmpty ? "" : " (`\(key.example)`)"): \(escaped(key.summary))"
      })

  private static let exitCodes =
    ["## Exit codes", "", "The numbers are those of `sysexits.h`.", ""]
    + ExitCode.allCases.map { "- \($0.rawValue): \($0.meaning)" }

  private static func option(_ flag: Flag) -> String { item(flag.usage, flag.explanation) }

  private static func item(_ name: String, _ meaning: String) -> String { "- `\(name)`: \(escaped(meaning))" }

  private static func list(_ items: [String]) -> [String] { items.isEmpty ? [] : items + [""] }

  /// Escapes the characters that Markdown would take for markup.
  private static func escaped(_ text: String) -> String {
    text.replacing("*", with: "\\*").replacing("<", with: "&lt;")
  }
}
