import OSC
import SystemCalls

/// `multiroute events`: what has happened, from a running router or from the file of `--events`.
struct EventsCommand {
  /// The arguments of the command.
  struct Options {
    let file: String?
    let filter: EventFilter
    let follows: Bool
    /// Whether lines are printed as they are in the file.
    let isJSON: Bool
    /// The running router, if no file is named.
    let client: ClientOptions?

    init(_ arguments: ParsedArguments, _ context: Context) throws(CommandFailure) {
      file = arguments.positionals.first
      filter = try EventFilter(arguments)
      follows = arguments.has(.follow)
      isJSON = arguments.has(.json)
      client = file == nil ? try ClientOptions(arguments, context) : nil
    }
  }

  static func perform(_ options: Options, _ context: Context) throws(CommandFailure) {
    let command = EventsCommand(options: options, console: context.console)
    if let client = options.client {
      try command.followRouter(client, context.interruption)
    } else if let file = options.file {
      try command.followFile(file, context.interruption)
    }
  }

  private let options: Options
  private let console: Console

  private init(options: Options, console: Console) { (self.options, self.console) = (options, console) }

  /// Longest wait for news, and so the longest time until Ctrl-C is noticed.
  private static let patience = 0.05

  // MARK: A running router

  private func followRouter(_ client: ClientOptions, _ interruption: EndRequest) throws(CommandFailure) {
    // Subscribes before it reads, so that no event is missed between the two.
    var news = options.follows ? try EventNews(client) : nil
    let isInterrupted = options.follows ? interruption.listen() : { false }
    var link = try RouterLink(client)
    var last = Int32(0)
    try printNew(after: &last, from: &link)
    while news != nil, !isInterrupted() {
      if try news!.wait(seconds: Self.patience) { try printNew(after: &last, from: &link) }
    }
    try news?.end()
  }

  /// Prints the events after a number, and puts that of the newest event in its place.
  private func printNew(after last: inout Int32, from link: inout RouterLink) throws(CommandFailure) {
    while true {
      let answers = try link.request(OSCMessage("/event/lines", .int32(last)))
      if case .int32(let first)? = answers.first.flatMap({ $0.lostFirst }) {
        // Also if the router has started again and counts anew.
        if last >= first { last = 0 } else { last = first - 1 }
        continue
      }
      let lines = answers.compactMap { answer -> (serial: Int32, text: String)? in
        guard answer.arguments.count == 4, case .int32(let serial) = answer.arguments[2],
          case .string(let text) = answer.arguments[3]
        else { return nil }
        return (serial, text)
      }
      guard let newest = lines.last?.serial else { return }
      for line in lines { show(line.text) }
      last = newest
    }
  }

  // MARK: A file

  private func followFile(_ path: String, _ interruption: EndRequest) throws(CommandFailure) {
    do throws(SystemError) {
      let isInterrupted = options.follows ? interruption.listen() : { true }
      let file = try GrowingFile(path, follows: options.follows)
      for line in try file.newLines() { show(line) }
      while !isInterrupted() {
        try file.wait(milliseconds: Int32(Self.patience * 1_000))
        for line in try file.newLines() { show(line) }
      }
    } catch {
      throw CommandFailure(.unreadableFile, "multiroute: \(path) cannot be read: \(error.reason)")
    }
  }

  // MARK: Lines

  private func show(_ text: String) {
    guard let line = EventLine(text) else {
      console.tell("multiroute: this line is no event: \(text.prefix(80))")
      return
    }
    guard options.filter.admits(line) else { return }
    console.print(options.isJSON ? text : line.sentence)
  }
}

extension OSCMessage {
  /// The first number that the router still has, if it says that events are lost.
  fileprivate var lostFirst: OSCArgument? {
    // A single answer comes under the address of the request.
    guard arguments.count == 2, arguments != [.int32(0), .int32(0)] else { return nil }
    return arguments.first
  }
}
