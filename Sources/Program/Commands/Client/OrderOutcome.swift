import OSC
import Patterns

/// Waits for what becomes of an order to a recorder or player. The router accepts such an order at once; whether the file can be made or read
/// shows a moment later, on the thread of the files.
struct OrderOutcome {
  private let link: RouterLink
  /// The recorder or player, such as `/recorder/tape`.
  private let object: String
  private let isRecorder: Bool
  /// Whether the file is open already.
  private let isReady: Bool

  /// Time after which the command ends without the outcome, such as when the server has gone.
  private static let patience = Duration.seconds(2)

  /// Begins to listen, before the order is sent.
  ///
  /// - Returns: nil for a message that is no such order.
  /// - Throws: `CommandFailure` unavailable.
  init?(of message: OSCMessage, _ options: ClientOptions) throws(CommandFailure) {
    let parts = message.address.split(separator: "/")
    guard parts.count == 3, !AddressPattern.isPattern(message.address),
      message.arguments.isEmpty || message.arguments == [.int32(1)]
    else { return nil }
    switch (parts[0], parts[2]) {
    case ("recorder", "record"): isRecorder = true
    case ("player", "play"), ("player", "prepare"): isRecorder = false
    default: return nil
    }
    object = "/\(parts[0])/\(parts[1])"
    link = try RouterLink(options)
    try link.send(OSCMessage("/subscribe", .string("/event/error")))
    try link.send(OSCMessage("/subscribe", .string(object)))
    var snapshot: [OSCMessage] = []
    // Each subscription has an end. A refusal is that of the order, too, which tells the reason.
    while snapshot.count(where: { ["/snapshot/end", "/error"].contains($0.address) }) < 2 {
      guard let packet = try link.receive(within: options.timeout) else { throw link.silence }
      snapshot += packet.messages
    }
    isReady = snapshot.contains { [isRecorder, object] message in
      isRecorder
        ? message == OSCMessage("\(object)/state", .string("recording"))
        : message == OSCMessage("\(object)/prepared", .int32(1))
    }
  }

  /// Waits until the file is made or read.
  ///
  /// - Throws: `CommandFailure` failure with the reason if it is not.
  func settle() throws(CommandFailure) {
    defer { try? link.send(OSCMessage("/bye")) }
    guard !isReady else { return }
    let end = ContinuousClock.now + Self.patience
    while ContinuousClock.now < end {
      guard let packet = try link.receive(within: end - .now) else { return }
      for message in packet.messages {
        // Serial, client, code, address, symbol, sentence.
        if message.address == "/event/error", message.arguments.count == 6,
          message.arguments[3] == .string(object)
        {
          throw RouterLink.refusal([message.arguments[2]] + message.arguments[4...])
        }
        if isSettled(by: message) { return }
      }
    }
  }

  private func isSettled(by message: OSCMessage) -> Bool {
    let leaf = message.address.dropFirst(object.count + 1)
    switch (leaf, message.arguments.first) {
    // A recorder that goes on after a pause has its file.
    case ("file/now", _), ("time", _): return isRecorder
    case ("prepared", .int32(1)?): return true
    // What waits, or is refused, makes or reads no file now.
    case ("state", .string(let state)?): return !["recording", "playing"].contains(state)
    default: return false
    }
  }
}
