import OSC

/// `multiroute watch`: the present values, then each change, until it is interrupted or the router goes.
struct WatchCommand {
  private let link: RouterLink
  private let options: ClientOptions
  private let console: Console
  /// Whether the pattern means the panic switch, too.
  private let wantsPanic: Bool
  /// Since when an answer is owed.
  private var unanswered: ContinuousClock.Instant?
  private var nextPing = ContinuousClock.now + pingInterval

  /// A router that is gone says nothing; asking for a sign of life tells it from one where nothing happens.
  private static let pingInterval = Duration.seconds(5)
  /// How soon an interruption is noticed.
  private static let patience = Duration.milliseconds(50)

  static func perform(
    _ pattern: String?, seconds: Double?, _ options: ClientOptions, _ context: Context
  ) throws(CommandFailure) {
    let isInterrupted = context.interruption.listen()
    let pattern = try pattern.map { (text) throws(CommandFailure) in try OSCMessage.address(text, for: .watch)
    }
    let end = seconds.map { ContinuousClock.now + .seconds($0) }
    let wantsPanic = pattern.flatMap { try? AddressPattern($0) }?.matchesPrefix(of: "/system/panic") ?? true
    var command = WatchCommand(
      link: try RouterLink(options), options: options, console: context.console, wantsPanic: wantsPanic)
    try command.ask(OSCMessage("/subscribe", pattern.map { [.string($0)] } ?? []))
    // The present values come whole, however short the time.
    while !isInterrupted(), end.map({ .now < $0 }) ?? true || command.unanswered != nil { try command.step() }
    try command.link.send(OSCMessage("/bye"))
  }

  private init(link: RouterLink, options: ClientOptions, console: Console, wantsPanic: Bool) {
    (self.link, self.options, self.console, self.wantsPanic) = (link, options, console, wantsPanic)
  }

  private mutating func ask(_ message: OSCMessage) throws(CommandFailure) {
    try link.send(message)
    unanswered = unanswered ?? .now
  }

  private mutating func step() throws(CommandFailure) {
    if let packet = try link.receive(within: Self.patience) {
      unanswered = nil
      for message in packet.messages { try show(message) }
    }
    if let unanswered, .now - unanswered > options.timeout { throw link.silence }
    if .now > nextPing {
      nextPing = .now + Self.pingInterval
      try ask(OSCMessage("/ping"))
    }
  }

  private func show(_ message: OSCMessage) throws(CommandFailure) {
    switch message.address {
    case "/pong", "/snapshot/end": break
    // Part of every snapshot, whatever was asked for; news only where it is on.
    case "/system/panic" where !wantsPanic && message.arguments == [.int32(0)]: break
    case "/error" where message.arguments.first == .string("/subscribe"):
      throw RouterLink.refusal(message.arguments.dropFirst())
    default: console.print(message.line)
    }
  }
}
