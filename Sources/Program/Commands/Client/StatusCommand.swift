import JSON5
import Presets
import SystemCalls

/// `multiroute status`: shows the state of the router, once or every second.
enum StatusCommand {
  struct Options: Equatable {
    var client: ClientOptions
    var isRepeated: Bool
    var isJSON: Bool
    var seconds: Double?

    init(_ arguments: ParsedArguments, _ context: Context) throws(CommandFailure) {
      client = ClientOptions(arguments, context)
      isRepeated = arguments.has(.watchStatus)
      isJSON = arguments.has(.json)
      seconds = arguments.seconds(.watchSeconds)
      if seconds != nil, !isRepeated { throw .usage(of: .status, ["--seconds belongs to --watch"]) }
    }
  }

  static func perform(_ options: Options, _ context: Context) throws(CommandFailure) {
    guard options.isRepeated else { return try show(options, context) }
    let isInterrupted = context.interruption.listen()
    let end = options.seconds.map { ContinuousClock.now + .seconds($0) }
    func isOver() -> Bool { isInterrupted() || end.map { ContinuousClock.now >= $0 } ?? false }
    while !isOver() {
      let next = ContinuousClock.now + .seconds(1)
      try show(options, context)
      while !isOver(), ContinuousClock.now < next { System.sleep(seconds: 0.05) }
    }
  }

  private static func show(_ options: Options, _ context: Context) throws(CommandFailure) {
    var link = try RouterLink(options.client)
    let report = try RouterReport(&link, options.client.router)
    let console = context.console
    if options.isJSON {
      console.write(report.json.text)
    } else {
      let lines = report.lines(console)
      // Moves the cursor home and clears the screen, so that the report is redrawn in place.
      if options.isRepeated, console.output.isTerminal { console.write("\u{1B}[H\u{1B}[J") }
      for line in lines { console.print(line) }
      if options.isRepeated, !console.output.isTerminal { console.print("") }
    }
  }
}
