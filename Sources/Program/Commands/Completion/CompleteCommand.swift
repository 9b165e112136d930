import Layouts
import OSC
import Parameters
import Presets
import SessionModel

/// `multiroute complete`: what may follow on a command line, for the completions of the shells. It never fails, and says nothing on standard error.
struct CompleteCommand {
  private let context: Context
  /// When a running router must have answered.
  private let end = ContinuousClock.now + Self.patience
  /// The command of the line, and the words behind it but the last.
  private let (words, word): ([String], String)

  /// The longest time that a Tab waits for a router.
  private static let patience = Duration.milliseconds(300)

  /// - Parameter line: the words behind the program's name; the last is completed, and may be empty.
  private init(_ line: [String], _ context: Context) {
    (words, word, self.context) = (line.dropLast(), line.last ?? "", context)
  }

  /// Prints each word that fits, one a line, sorted; a word that ends in a slash goes on.
  static func perform(_ line: [String], _ context: Context) {
    let command = CompleteCommand(line, context)
    for word in Set(command.candidates).filter({ $0.hasPrefix(command.word) }).sorted() {
      context.console.print(word)
    }
  }

  private var candidates: [String] {
    guard let first = words.first else {
      return CommandName.allCases.map(\.rawValue) + ["--version", Flag.help.name]
    }
    guard let name = CommandName(rawValue: first) else { return [] }
    let command = CommandTable.description(of: name)
    let arguments = words.dropFirst()
    if arguments.last != "--", let flag = command.flags.first(where: { $0.name == arguments.last }),
      let value = flag.value
    {
      return values(of: value, flag)
    }
    if word.hasPrefix("-") { return command.flags.map(\.name) + [Flag.help.name] }
    return positional(command, at: positionals(arguments, of: command))
  }

  /// The arguments without flags and their values.
  private func positionals(_ arguments: ArraySlice<String>, of command: CommandDescription) -> [String] {
    var found: [String] = []
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == "--" { return found + rest }
      guard argument.hasPrefix("-") else {
        found.append(argument)
        continue
      }
      if command.flags.contains(where: { $0.name == argument && $0.value != nil }) { _ = rest.popFirst() }
    }
    return found
  }

  private func values(of value: FlagValue, _ flag: Flag) -> [String] {
    switch value {
    case .choice(_, let names): names
    case .path where flag == .layoutPreset: presets
    case .text where flag == .ofSession: children(of: "/session")
    case .router: context.folders.sockets.live.map { Endpoint.unix(path: $0).description }
    default: []
    }
  }

  private func positional(_ command: CommandDescription, at former: [String]) -> [String] {
    switch (command.name, former.count) {
    case (.run, 0), (.render, 0), (.check, _), (.recall, 0): presets
    case (.presets, 0): ["show", "new", "preview", "store", "update", "versions", "restore", "delete"]
    case (.presets, 1): ["new", "store"].contains(former[0]) ? [] : presets
    case (.library, 0): ["scan", "find", "show"]
    case (.record, _): children(of: "/recorder").filter { !former.contains($0) }
    case (.layout, 0): LayoutFormat.allCases.map(\.rawValue)
    case (.send, 0), (.get, 0), (.watch, 0): addresses
    case (.why, 0): children(of: "/session")
    case (.why, 1): children(of: "/output")
    case (.help, 0): CommandName.allCases.map(\.rawValue)
    default: []
    }
  }

  private var presets: [String] {
    var folders = context.folders
    if let place = words.lastIndex(of: Flag.presets.name), place + 1 < words.count {
      folders.replaceOwn(presets: words[place + 1], media: nil)
    }
    return folders.library.list().map(\.id.name)
  }

  // MARK: The running router

  /// The addresses that begin with the word, one part further. One that has both a value and children stands with and without a slash.
  private var addresses: [String] {
    guard word.hasPrefix("/"), let slash = word.lastIndex(of: "/") else { return word.isEmpty ? ["/"] : [] }
    let parent = slash == word.startIndex ? "/" : String(word[..<slash])
    let found = list(parent).map { String(word[...slash]) + $0 }.filter { $0.hasPrefix(word) }
    guard found.count == 1 else { return found }
    return list(found[0]).isEmpty ? found : [found[0] + "/"]
  }

  /// The ids below an address, without its fixed words.
  private func children(of address: String) -> [String] {
    let words = Table.reservedNames(below: address)
    return list(address).filter { !words.contains($0) }
  }

  /// The next parts below an address; empty if no router answers in time.
  private func list(_ address: String) -> [String] {
    let rest = end - .now
    guard rest > .zero, let router else { return [] }
    do throws(CommandFailure) {
      var link = try RouterLink(ClientOptions(router: router, timeout: rest))
      return try link.request(OSCMessage("/system/list", .string(address))).flatMap {
        $0.arguments.dropFirst().map(\.plain)
      }
    } catch { return [] }
  }

  /// The router of `--to`, if that is an address, or else that of this machine. A name is not looked for in the network.
  private var router: Endpoint? {
    if let place = words.lastIndex(of: Flag.to.name), place + 1 < words.count {
      return Endpoint(words[place + 1])
    }
    let live = context.folders.sockets.live
    return live.count == 1 ? .unix(path: live[0]) : .standard
  }
}
