import OSC

/// Waits for events of a running router, over a connection of its own.
struct EventNews {
  private let link: RouterLink
  private var nextPing = ContinuousClock.now + Self.pause

  /// Time between two pings, each of which renews the subscription.
  private static let pause = Duration.seconds(5)

  init(_ options: ClientOptions) throws(CommandFailure) {
    link = try RouterLink(options)
    try link.send(OSCMessage("/subscribe", .string("/event/*")))
  }

  /// Waits for an event; false if none comes within some seconds.
  mutating func wait(seconds: Double) throws(CommandFailure) -> Bool {
    if .now > nextPing {
      nextPing = .now + Self.pause
      try link.send(OSCMessage("/ping"))
    }
    guard let packet = try link.receive(within: .seconds(seconds)) else { return false }
    return packet.messages.contains { $0.address.hasPrefix("/event/") }
  }

  func end() throws(CommandFailure) { try link.send(OSCMessage("/bye")) }
}
