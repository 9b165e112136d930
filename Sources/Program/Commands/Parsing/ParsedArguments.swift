/// The arguments of a command, checked against the table of commands.
struct ParsedArguments: Equatable {
  /// The values of each flag in order; an empty list for a flag without value.
  var values: [Flag: [String]] = [:]
  /// Arguments without a flag, in order.
  var positionals: [String] = []

  /// Whether a flag was given.
  func has(_ flag: Flag) -> Bool { values[flag] != nil }

  /// All values of a flag.
  func all(_ flag: Flag) -> [String] { values[flag] ?? [] }

  /// The value that counts: the last one.
  func text(_ flag: Flag) -> String? { values[flag]?.last }

  /// The value of a flag as seconds.
  func seconds(_ flag: Flag) -> Double? { text(flag).flatMap(PlainNumber.decimal) }

  /// The value of a flag as a whole number.
  func integer(_ flag: Flag) -> Int? { text(flag).flatMap(PlainNumber.integer) }
}
