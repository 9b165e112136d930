/// The pages that `multiroute help` prints, made from the table of commands.
enum HelpPage {
  /// The page that lists all commands.
  static func overview(_ screen: Console.Screen) -> [String] {
    let width = min(screen.width, 100)
    var lines = [
      "multiroute routes many sounds to many devices at once over JACK, controlled by OSC.", "",
      "usage: multiroute COMMAND [ARGUMENT...]",
    ]
    let column = min(width / 2, CommandTable.commands.map { shortUsage($0).count }.max()! + 4)
    for group in CommandDescription.Group.allCases {
      lines += ["", group.rawValue]
      for command in CommandTable.commands where command.group == group {
        lines += Wrapping.entry(shortUsage(command), command.summary, column: column, width: width)
      }
    }
    return lines + [
      "", "New here?              multiroute demo", "More about a command:  multiroute help COMMAND",
      "Version:               multiroute --version",
    ]
  }

  /// The page of one command.
  static func page(of command: CommandDescription, _ screen: Console.Screen) -> [String] {
    let width = min(screen.width, 100)
    var lines = usage(command, width: width)
    lines += [""] + Wrapping.lines(sentence(command), width: width)
    for detail in command.details { lines += [""] + Wrapping.lines(detail, width: width) }
    let terms = command.positionals.map { ($0.name, $0.summary) }
    lines += section("Arguments", terms, width: width)
    lines += section("Options", command.flags.map { ($0.usage, $0.explanation) }, width: width)
    lines += section("Examples", command.examples.map { ($0.line, $0.meaning) }, column: 6, width: width)
    lines += section(
      "Exit codes", exitCodes(of: command).map { ("\($0.rawValue)", $0.meaning) }, width: width)
    return lines
  }

  /// The summary as a sentence.
  static func sentence(_ command: CommandDescription) -> String {
    command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."
  }

  /// All exit codes of a command, in ascending order.
  static func exitCodes(of command: CommandDescription) -> [ExitCode] {
    ([.success, .usage] + command.exitCodes).sorted { $0.rawValue < $1.rawValue }
  }

  private static func shortUsage(_ command: CommandDescription) -> String {
    ([command.name.rawValue] + command.positionals.map(\.usage)).joined(separator: " ")
  }

  /// The usage line, wrapped to `width` columns.
  private static func usage(_ command: CommandDescription, width: Int) -> [String] {
    var lines: [String] = []
    var line = "usage:"
    for part in command.usage {
      if line.count + 1 + part.count > width {
        lines.append(line)
        line = String(repeating: " ", count: 8)
      }
      line += " " + part
    }
    return lines + [line]
  }

  /// A title and its entries. All meanings start in one column: `column`, or by default as far left as the longest term allows.
  private static func section(
    _ title: String, _ entries: [(String, String)], column: Int? = nil, width: Int
  ) -> [String] {
    guard !entries.isEmpty else { return [] }
    let column = column ?? min(32, width / 2, entries.map(\.0.count).max()! + 4)
    return ["", title] + entries.flatMap { Wrapping.entry($0.0, $0.1, column: column, width: width) }
  }
}

extension Flag {
  /// The summary, the default value, and whether the flag may repeat.
  var explanation: String {
    var notes: [String] = []
    if isRepeatable { notes.append("may repeat") }
    if let defaultText { notes.append("default: \(defaultText)") }
    return notes.isEmpty ? summary : "\(summary) (\(notes.joined(separator: "; ")))"
  }
}
