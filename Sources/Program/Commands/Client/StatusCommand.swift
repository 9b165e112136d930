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
      client = try ClientOptions(arguments, context)
      isRepeated = arguments.has(.watchStatus)
      isJSON = arguments.has(.json)
      seconds = arguments.seconds(.watchSeconds)
      if seconds != nil, !isRepeated { throw .usage(of: .status, ["--seconds belongs to --watch"]) }
    }
  }

  /// - Parameter pause: the time from one report of `--watch` to the next.
  static func perform(
    _ options: Options, every pause: Duration = .seconds(1), _ context: Context
  ) throws(CommandFailure) {
    let console = context.console
    var link = try RouterLink(options.client)
    guard options.isRepeated else {
      return write(try RouterReport(&link, options.client.router), options, console)
    }
    let isInterrupted = context.interruption.listen()
    let end = options.seconds.map { ContinuousClock.now + .seconds($0) }
    func isOver() -> Bool { isInterrupted() || end.map { ContinuousClock.now >= $0 } ?? false }
    var page = options.isJSON ? nil : TerminalPage(console)
    while !isOver() {
      let next = ContinuousClock.now + pause
      // These questions also renew the client's lease.
      let report = try RouterReport(&link, options.client.router)
      page?.draw(report.lines)
      if page == nil { write(report, options, console) }
      while !isOver(), ContinuousClock.now < next {
        System.sleep(seconds: 0.05)
        if page?.isOutgrown == true { page?.draw(report.lines) }
      }
    }
  }

  private static func write(_ report: RouterReport, _ options: Options, _ console: Console) {
    if options.isJSON { return console.write(report.json.text) }
    for line in report.lines(console) { console.print(line) }
    if options.isRepeated { console.print("") }
  }
}
