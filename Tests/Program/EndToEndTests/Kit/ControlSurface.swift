public import OSC

/// A control surface on this machine, over a real socket: sends, waits for answers and events, and keeps all received messages.
final class ControlSurface {
  /// A command that the router refused.
  struct Refusal: Error, CustomStringConvertible {
    var address: String
    var code: Int32
    var symbol: String
    var sentence: String
    var description: String { "\(address): \(symbol) (\(code)): \(sentence)" }
  }

  /// An expected message that did not arrive.
  struct Silence: Error, CustomStringConvertible {
    var description: String
  }

  let client: OSCClient
  /// Received messages that no call has consumed, in order.
  private(set) var inbox: [OSCMessage] = []
  private var requests: Int32 = 0
  private var nextSignOfLife = ContinuousClock.now + .seconds(signOfLife.interval)

  init(host: String = "127.0.0.1", port: UInt16) throws { client = try OSCClient(host: host, port: port) }

  /// A surface at another endpoint than a UDP port.
  init(at endpoint: Endpoint, framing: Framing = .length) throws {
    client = try OSCClient(endpoint, framing: framing)
  }

  // MARK: Sending

  /// Sends a message without waiting.
  func tell(_ address: String, _ arguments: OSCArgument...) throws {
    try client.send(OSCMessage(address, arguments))
  }

  /// Has a message carried out and returns its result.
  ///
  /// - Throws: `Refusal`.
  @discardableResult
  func send(_ address: String, _ arguments: OSCArgument...) throws -> [OSCArgument] {
    try send(address, arguments)
  }

  /// Has a message carried out and returns its result.
  ///
  /// - Throws: `Refusal`.
  @discardableResult
  func send(_ address: String, _ arguments: [OSCArgument]) throws -> [OSCArgument] {
    requests += 1
    let id = requests
    try client.send(OSCMessage("/request", [.int32(id), .string(address)] + arguments))
    let answer = try wait(for: "/response") { $0.arguments.first == .int32(id) }
    guard answer.arguments.count >= 3, case .int32(let code) = answer.arguments[1] else {
      throw Silence(description: "a response that cannot be read: \(answer)")
    }
    let rest = Array(answer.arguments.dropFirst(3))
    guard code == 0 else {
      throw Refusal(
        address: address, code: code, symbol: rest.first?.text ?? "", sentence: rest.last?.text ?? "")
    }
    return rest
  }

  /// Waits until the audio thread has adopted everything sent before.
  func sync(_ number: Int32 = .random(in: 1...1_000_000)) throws {
    try tell("/sync", .int32(number))
    try wait(for: "/synced") { $0.arguments == [.int32(number)] }
  }

  /// Reads a leaf.
  func value(_ address: String) throws -> OSCArgument {
    guard let value = try send("/get", .string(address)).first else {
      throw Silence(description: "\(address) reads as nothing")
    }
    return value
  }

  func number(_ address: String) throws -> Double {
    switch try value(address) {
    case .float(let value): Double(value)
    case .int32(let value): Double(value)
    case let other: throw Silence(description: "\(address) is no number but \(other)")
    }
  }

  func text(_ address: String) throws -> String { try value(address).text ?? "" }

  /// The router's counters, by name.
  func counters() throws -> [String: Int] {
    let words = try send("/system/stats")
    var counters: [String: Int] = [:]
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      if let name = words[index].text, case .int32(let count) = words[index + 1] {
        counters[name] = Int(count)
      }
    }
    return counters
  }

  /// Subscribes and returns the snapshot.
  @discardableResult
  func subscribe(_ pattern: String) throws -> [OSCMessage] {
    try tell("/subscribe", .string(pattern))
    try wait(for: "/snapshot/end") { $0.arguments.first == .string(pattern) }
    return takeInbox()
  }

  // MARK: Hearing

  /// A ping that renews the lease of this surface, and the seconds between two of them.
  private static let signOfLife = (number: OSCArgument.string("sign of life"), interval: 5.0)

  /// The seconds for which to wait for a message. A machine that runs many servers at once, some of them in freewheel, may leave a program without a
  /// processor for seconds.
  static let patience = 60.0

  /// Waits for a message and removes it from the inbox.
  @discardableResult
  func wait(
    for address: String, seconds: Double = ControlSurface.patience,
    where condition: (OSCMessage) -> Bool = { _ in true }
  ) throws -> OSCMessage {
    let end = ContinuousClock.now + .seconds(seconds)
    var next = 0
    while true {
      while next < inbox.count {
        if inbox[next].address == address, condition(inbox[next]) { return inbox.remove(at: next) }
        next += 1
      }
      let remaining = end - ContinuousClock.now
      guard remaining > .zero else {
        throw Silence(description: "waited \(seconds) s in vain for \(address); came: \(inbox.suffix(20))")
      }
      if .now > nextSignOfLife, address != "/pong" {
        nextSignOfLife = .now + .seconds(Self.signOfLife.interval)
        try tell("/ping", Self.signOfLife.number)
      }
      guard let packet = try client.receive(timeout: min(remaining, .seconds(Self.signOfLife.interval)))
      else { continue }
      inbox += packet.messages.filter(Self.isNews)
    }
  }

  /// Waits for an event. Returns its arguments after the serial number.
  @discardableResult
  func event(
    _ name: String, seconds: Double = ControlSurface.patience,
    where condition: ([OSCArgument]) -> Bool = { _ in true }
  ) throws -> [OSCArgument] {
    let message = try wait(for: "/event/\(name)", seconds: seconds) {
      condition(Array($0.arguments.dropFirst()))
    }
    return Array(message.arguments.dropFirst())
  }

  /// Removes and returns all received messages, without waiting.
  func takeInbox() -> [OSCMessage] {
    defer { inbox = [] }
    return inbox
  }

  /// Waits for any packet; false if none arrived.
  func receive(seconds: Double) throws -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while let packet = try client.receive(timeout: max(.zero, end - ContinuousClock.now)) {
      let news = packet.messages.filter(Self.isNews)
      inbox += news
      if !news.isEmpty { return true }
    }
    return false
  }

  /// Whether a message is more than the number of a bundle, a sign of life of the router, or the answer to one of this surface.
  private static func isNews(_ message: OSCMessage) -> Bool {
    switch message.address {
    case "/seq", "/alive": false
    case "/pong": message.arguments != [signOfLife.number]
    default: true
    }
  }

  /// Removes and returns all messages that arrive before the answer to a message that is sent now.
  func takeAll() throws -> [OSCMessage] {
    let number = Int32.random(in: 1...1_000_000)
    try tell("/ping", .int32(number))
    try wait(for: "/pong") { $0.arguments == [.int32(number)] }
    return takeInbox()
  }
}

extension OSCMessage {
  /// Whether it is an event that the law decided. A busy machine alone may cause the others.
  var isEventOfTheLaw: Bool {
    address.hasPrefix("/event/") && !["/event/xrun", "/event/glitch", "/event/health"].contains(address)
  }
}

extension OSCArgument {
  /// A text, if it is one.
  var text: String? { if case .string(let text) = self { text } else { nil } }
}

extension OSCArgument: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
  public init(integerLiteral value: Int32) { self = .int32(value) }
  public init(floatLiteral value: Float) { self = .float(value) }
  public init(stringLiteral value: String) { self = .string(value) }
}
