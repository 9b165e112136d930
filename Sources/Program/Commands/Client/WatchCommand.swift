import OSC
import Patterns

/// `multiroute watch`: the present values, then each change, until Ctrl-C or until the router ends.
struct WatchCommand {
  private let link: RouterLink
  private let options: ClientOptions
  private let console: Console
  /// The pattern, if it names values alone: no events, which have no present value, and no meters.
  private let valuePattern: String?
  /// Whether a value has come, or a message has told that there is none.
  private var hasTold = false
  /// Whether the pattern also matches the panic switch.
  private let wantsPanic: Bool
  /// When the oldest unanswered message was sent; nil if all are answered.
  private var unanswered: ContinuousClock.Instant?
  /// Time between two pings. Each renews the lease, which lasts 30 s, and its answer distinguishes a router in which nothing changes from a
  /// router that has ended.
  private let pingInterval: Duration
  private var nextPing: ContinuousClock.Instant

  /// Longest wait for a packet, and so the longest time until Ctrl-C is noticed.
  private static let patience = Duration.milliseconds(50)

  static func perform(
    _ pattern: String?, seconds: Double?, pingingEvery pingInterval: Duration = .seconds(5),
    _ options: ClientOptions, _ context: Context
  ) throws(CommandFailure) {
    let isInterrupted = context.interruption.listen()
    let pattern = try pattern.map { (text) throws(CommandFailure) in try OSCMessage.address(text, for: .watch)
    }
    let end = seconds.map { ContinuousClock.now + .seconds($0) }
    let wantsPanic = pattern.flatMap { try? AddressPattern($0) }?.matchesPrefix(of: "/system/panic") ?? true
    var command = WatchCommand(
      link: try RouterLink(options), options: options, console: context.console,
      valuePattern: pattern.flatMap { Self.namesValuesAlone($0) ? $0 : nil }, wantsPanic: wantsPanic,
      pingInterval: pingInterval)
    try command.ask(OSCMessage("/subscribe", pattern.map { [.string($0)] } ?? []))
    // Prints all present values, even if the time is over before they have arrived.
    while !isInterrupted(), end.map({ .now < $0 }) ?? true || command.unanswered != nil { try command.step() }
    try command.link.send(OSCMessage("/bye"))
  }

  private init(
    link: RouterLink, options: ClientOptions, console: Console, valuePattern: String?, wantsPanic: Bool,
    pingInterval: Duration
  ) {
    (self.link, self.options, self.console) = (link, options, console)
    (self.valuePattern, self.wantsPanic) = (valuePattern, wantsPanic)
    (self.pingInterval, nextPing) = (pingInterval, .now + pingInterval)
  }

  private static func namesValuesAlone(_ pattern: String) -> Bool {
    guard let pattern = try? AddressPattern(pattern) else { return false }
    return !["event", "meter"].contains { pattern.mayMatch(below: [$0]) }
  }

  private mutating func ask(_ message: OSCMessage) throws(CommandFailure) {
    try link.send(message)
    unanswered = unanswered ?? .now
  }

  private mutating func step() throws(CommandFailure) {
    if let packet = try link.receive(within: Self.patience) {
      unanswered = nil
      // The numbers of bundles and the signs of life are no changes.
      for message in packet.messages where !["/seq", "/alive"].contains(message.address) { try show(message) }
    }
    if let unanswered, .now - unanswered > options.timeout { throw link.silence }
    if .now > nextPing {
      nextPing = .now + pingInterval
      try ask(OSCMessage("/ping"))
    }
  }

  private mutating func show(_ message: OSCMessage) throws(CommandFailure) {
    switch message.address {
    case "/pong": break
    case "/snapshot/end":
      if let valuePattern, !hasTold {
        console.tell(
          "multiroute: nothing has the address \(valuePattern) now; changes follow if that changes")
      }
      hasTold = true
    // Every snapshot contains the panic switch. It is worth a line only if panic is on or was asked for.
    case "/system/panic" where !wantsPanic && message.arguments == [.int32(0)]: break
    case "/error" where message.arguments.first == .string("/subscribe"):
      throw RouterLink.refusal(message.arguments.dropFirst())
    default:
      hasTold = true
      console.print(message.line)
    }
  }
}
