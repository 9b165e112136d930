import JSON5
import OSC

/// `multiroute top`: a live screen of load, stages, levels, rings, clients and health.
struct TopCommand {
  struct Options: Equatable {
    var client: ClientOptions
    /// Whether it ends after one screen.
    var isOnce: Bool
    var isJSON: Bool
    var seconds: Double?

    init(_ arguments: ParsedArguments, _ context: Context) throws(CommandFailure) {
      client = try ClientOptions(arguments, context)
      isOnce = arguments.has(.once)
      isJSON = arguments.has(.json)
      seconds = arguments.seconds(.watchSeconds)
    }
  }

  /// How often the screen is drawn and the router is asked for what it does not feed back.
  struct Pace {
    var screen = Duration.milliseconds(500)
    /// In a pipe, and for JSON.
    var lines = Duration.seconds(1)
    var questions = Duration.seconds(1)
  }

  /// Longest wait for a packet, and so the longest time until Ctrl-C is noticed.
  private static let patience = Duration.milliseconds(100)

  private let link: RouterLink
  private let options: Options
  private let console: Console
  private let pace: Pace
  private var picture: TopPicture
  /// When the questions were sent whose answers have not come; nil if all have come.
  private var asked: ContinuousClock.Instant?
  private var nextQuestions = ContinuousClock.now
  private var hasAnswers = false

  /// - Throws: `CommandFailure` unavailable if no router answers.
  static func perform(
    _ options: Options, at pace: Pace = Pace(), _ context: Context
  ) throws(CommandFailure) {
    var command = TopCommand(
      link: try RouterLink(options.client), options: options, console: context.console, pace: pace,
      picture: TopPicture(options.client.router))
    let isInterrupted = context.interruption.listen()
    let end = options.seconds.map { ContinuousClock.now + .seconds($0) }
    try command.run { isInterrupted() || end.map { ContinuousClock.now >= $0 } ?? false }
  }

  private init(
    link: RouterLink, options: Options, console: Console, pace: Pace, picture: TopPicture
  ) {
    (self.link, self.options, self.console, self.pace) = (link, options, console, pace)
    self.picture = picture
  }

  private mutating func run(until isOver: () -> Bool) throws(CommandFailure) {
    try link.send(
      TopPicture.subscriptions.map { OSCMessage("/subscribe", .string($0.pattern), .float($0.rate)) })
    var page = options.isJSON || options.isOnce ? nil : TerminalPage(console)
    let pause = page == nil ? pace.lines : pace.screen
    // The values that are fed back come with a snapshot, and the first levels a little later.
    var nextDrawing = ContinuousClock.now + (options.isOnce ? pace.lines : pace.screen)
    while !isOver() {
      try ask()
      try receive(until: min(nextDrawing, nextQuestions))
      if page?.isOutgrown == true, hasAnswers { page?.draw(picture.lines) }
      guard hasAnswers, ContinuousClock.now >= nextDrawing else { continue }
      nextDrawing = .now + pause
      page?.draw(picture.lines)
      if page == nil { write() }
      if options.isOnce { break }
    }
    try link.send(OSCMessage("/bye"))
  }

  /// Asks for what is not fed back, if that is due. The questions also renew the client's lease.
  private mutating func ask() throws(CommandFailure) {
    if let asked, .now - asked > options.client.timeout { throw link.silence }
    guard asked == nil, ContinuousClock.now >= nextQuestions else { return }
    try link.send(TopPicture.questions.map { OSCMessage($0) })
    asked = .now
    nextQuestions = .now + pace.questions
  }

  /// Takes the packets that come, until a time or a little longer than `patience`.
  private mutating func receive(until time: ContinuousClock.Instant) throws(CommandFailure) {
    let limit = min(time, .now + Self.patience)
    repeat {
      let rest = limit - .now
      guard let packet = try link.receive(within: max(rest, .milliseconds(1))) else { return }
      for message in packet.messages where picture.take(message) { (asked, hasAnswers) = (nil, true) }
    } while ContinuousClock.now < limit
  }

  private func write() {
    if options.isJSON { return console.write(picture.json.text) }
    for line in picture.lines(console) { console.print(line) }
    if !options.isOnce { console.print("") }
  }
}
