import OSC

/// `multiroute send`: sends one message and prints the applied values.
enum SendCommand {
  static func perform(
    _ positionals: [String], _ options: ClientOptions, _ context: Context
  ) throws(CommandFailure) {
    let address = try OSCMessage.address(positionals[0], for: .send)
    let arguments = positionals.dropFirst().map { OSCArgument(typed: $0) }
    try perform(OSCMessage(address, arguments), options, context.console)
  }

  /// Prints what a message would change, without changing anything.
  static func suppose(
    _ positionals: [String], _ options: ClientOptions, _ context: Context
  ) throws(CommandFailure) {
    let address = try OSCMessage.address(positionals[0], for: .send)
    let arguments = positionals.dropFirst().map { OSCArgument(typed: $0) }
    var link = try RouterLink(options)
    PreviewTable(
      try link.request(OSCMessage("/what/if", [.string(address)] + arguments)),
      ifEmpty: "The message would change nothing."
    ).print(to: context.console)
  }

  /// Sends a message and prints the applied values.
  static func perform(
    _ message: OSCMessage, _ options: ClientOptions, _ console: Console
  ) throws(CommandFailure) {
    var link = try RouterLink(options)
    let outcome = try OrderOutcome(of: message, options)
    console.print(try link.perform(message), to: message.address)
    try outcome?.settle()
  }
}

/// `multiroute get`: reads an address once.
enum GetCommand {
  static func perform(
    _ address: String, _ options: ClientOptions, _ context: Context
  ) throws(CommandFailure) {
    let address = try OSCMessage.address(address, for: .get)
    try perform(address, options, context.console)
  }

  /// Reads an address and prints its value.
  static func perform(
    _ address: String, _ options: ClientOptions, _ console: Console
  ) throws(CommandFailure) {
    var link = try RouterLink(options)
    console.print(try link.read(address), to: address)
  }
}

extension OSCMessage {
  /// Checks an address that the user typed.
  /// - Throws: `CommandFailure` usage when it does not begin with `/`.
  static func address(_ text: String, for command: CommandName) throws(CommandFailure) -> String {
    guard text.hasPrefix("/") else {
      throw .usage(of: command, ["'\(text)' is not an OSC address; did you mean /\(text)?"])
    }
    return text
  }
}

extension Console {
  /// Prints the answer to an address as values alone, and the answers to a pattern with their addresses.
  fileprivate func print(_ answers: [OSCMessage], to address: String) {
    for answer in answers {
      if answer.address != address {
        print(answer.line)
      } else if answer.arguments.count == 1 {
        print(answer.arguments[0].plain)
      } else {
        print(answer.arguments.words)
      }
    }
  }
}

extension OSCMessage {
  /// The message as one line: address and values.
  var line: String { arguments.isEmpty ? address : "\(address) \(arguments.words)" }
}
