import SessionModel

/// Reads the arguments of a command, and collects all mistakes.
struct ArgumentReader {
  private let command: CommandDescription
  private var rest: ArraySlice<String>
  private var parsed = ParsedArguments()
  private var complaints: [String] = []

  private init(_ arguments: ArraySlice<String>, of command: CommandDescription) {
    (self.command, rest) = (command, arguments)
  }

  /// Reads the arguments of a command.
  /// - Throws: `CommandFailure` usage, with a line for each mistake.
  static func read(
    _ arguments: ArraySlice<String>, of command: CommandDescription
  ) throws(CommandFailure) -> ParsedArguments {
    var reader = ArgumentReader(arguments, of: command)
    reader.readAll()
    guard reader.complaints.isEmpty else { throw .usage(of: command.name, reader.complaints) }
    return reader.parsed
  }

  private mutating func readAll() {
    var isLiteral = false
    while let argument = rest.popFirst() {
      if isLiteral || !Self.isFlag(argument) {
        parsed.positionals.append(argument)
      } else if argument == "--" {
        isLiteral = true
      } else if let number = PlainNumber.correction(of: argument) {
        complaints.append("'\(argument)' is not a number; write \(number)")
      } else {
        readFlag(argument)
      }
    }
    checkCount()
    for flag in command.flags where flag.isRequired && !parsed.has(flag) {
      complaints.append("\(flag.usage) is missing")
    }
  }

  /// Whether an argument is a flag: it begins with a dash, but is neither a single dash nor a level such as `-6`, `-.5`, `-inf`.
  private static func isFlag(_ argument: String) -> Bool {
    guard argument.hasPrefix("-"), argument != "-", argument != "-inf" else { return false }
    return PlainNumber.decimal(argument) == nil
  }

  private mutating func readFlag(_ argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    guard let flag = command.flags.first(where: { $0.name == parts[0] }) else {
      complaints.append(unknown(parts[0]))
      // Skips the value of a misspelled flag, which would be reported as a surplus argument.
      if parts.count == 1, let next = rest.first, !Self.isFlag(next), isKnownElsewhereWithValue(parts[0]) {
        rest.removeFirst()
      }
      return
    }
    guard let kind = flag.value else {
      if parts.count > 1 { complaints.append("\(flag.name) takes no value") }
      parsed.values[flag, default: []] += []
      return
    }
    guard let value = parts.count > 1 ? parts[1] : takeValue() else {
      complaints.append("\(flag.name) needs a value: \(flag.usage)")
      parsed.values[flag, default: []] += []
      return
    }
    accept(value, kind, flag)
  }

  private mutating func takeValue() -> String? {
    guard let next = rest.first, !next.hasPrefix("--") else { return nil }
    return rest.popFirst()
  }

  private mutating func accept(_ value: String, _ kind: FlagValue, _ flag: Flag) {
    parsed.values[flag, default: []].append(value)
    if let correction = kind.correction(of: value) {
      complaints.append("\(flag.name) does not take '\(value)'; \(correction)")
    }
  }

  // MARK: Mistakes

  private func unknown(_ name: String) -> String {
    let known = command.flags.map(\.name) + [Flag.help.name]
    if let near = NearestName.suggestion(for: name, among: known) {
      return "there is no flag \(name); did you mean \(near)?"
    }
    let others = CommandTable.commands.filter { $0.flags.contains { $0.name == name } }.map(\.name.rawValue)
    if !others.isEmpty {
      return "\(name) is a flag of \(others.joined(separator: ", ")), not of \(command.name.rawValue)"
    }
    return "there is no flag \(name)"
  }

  private func isKnownElsewhereWithValue(_ name: String) -> Bool {
    let known = command.flags.map(\.name)
    let meant = NearestName.suggestion(for: name, among: known) ?? name
    return CommandTable.commands.flatMap(\.flags).contains { $0.name == meant && $0.value != nil }
  }

  private mutating func checkCount() {
    var count = parsed.positionals.count
    for positional in command.positionals {
      let taken = min(count, positional.range.upperBound)
      count -= taken
      if taken < positional.range.lowerBound { complaints.append("\(positional.name) is missing") }
    }
    guard count > 0 else { return }
    let surplus = parsed.positionals.suffix(count).map { "'\($0)'" }.joined(separator: ", ")
    complaints.append("too many arguments: \(surplus)")
  }
}

extension CommandFailure {
  /// The mistakes of a command line, and the command that shows its help.
  static func usage(of command: CommandName, _ complaints: [String]) -> CommandFailure {
    CommandFailure(
      .usage,
      complaints.map { "multiroute \(command.rawValue): \($0)" }
        + ["See: multiroute help \(command.rawValue)"])
  }
}
