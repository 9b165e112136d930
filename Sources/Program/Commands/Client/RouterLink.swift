import Numbers
import OSC
import Patterns

/// The connection of a command to a router; it sends one request at a time.
struct RouterLink {
  private let client: OSCClient
  private let options: ClientOptions
  private var lastRequest = Int32.random(in: 1...1_000_000_000)

  /// Looks up the host and opens a socket, but sends nothing yet.
  /// - Throws: `CommandFailure` unavailable.
  init(_ options: ClientOptions) throws(CommandFailure) {
    self.options = options
    do throws(SocketError) {
      client = try OSCClient(options.router)
    } catch {
      throw Self.failure(error, options.router, isLocal: options.router.isLocal)
    }
  }

  // MARK: Requests

  /// Sends one message as a request and waits for its answers. A single answer comes under the address of the message.
  /// - Throws: `CommandFailure` failure with the error that the router answers, unavailable if the router does not answer.
  mutating func request(_ message: OSCMessage) throws(CommandFailure) -> [OSCMessage] {
    lastRequest &+= 1
    try send(OSCMessage("/request", [.int32(lastRequest), .string(message.address)] + message.arguments))
    var answers: [OSCMessage] = []
    while true {
      guard let packet = try receive(within: options.timeout) else { throw silence }
      for answer in packet.messages {
        if answer.address == "/error", answer.arguments.first == .string("/request") {
          throw Self.refusal(answer.arguments.dropFirst())
        }
        guard answer.address == "/response", answer.arguments.first == .int32(lastRequest) else {
          answers.append(answer)
          continue
        }
        return try Self.result(of: answer, to: message, before: answers)
      }
    }
  }

  /// Sends messages as one bundle of requests: all of them take effect on one frame, or none does.
  /// - Throws: `CommandFailure` failure with the first error that the router answers, unavailable if the router does not answer.
  mutating func requestTogether(_ messages: [OSCMessage]) throws(CommandFailure) {
    var waiting: Set<OSCArgument> = []
    let requests = messages.map { message in
      lastRequest &+= 1
      waiting.insert(.int32(lastRequest))
      return OSCMessage("/request", [.int32(lastRequest), .string(message.address)] + message.arguments)
    }
    do throws(SocketError) {
      try client.send(.bundle(OSCBundle(requests.map(OSCPacket.message))))
    } catch { throw failure(error) }
    while !waiting.isEmpty {
      guard let packet = try receive(within: options.timeout) else { throw silence }
      for answer in packet.messages where answer.address == "/response" {
        guard let id = answer.arguments.first, waiting.remove(id) != nil else { continue }
        guard answer.arguments.count >= 3, answer.arguments[1] == .int32(0) else {
          throw Self.refusal(answer.arguments.dropFirst().prefix(1) + answer.arguments.dropFirst(3))
        }
      }
    }
  }

  /// Reads an address or pattern without firing a trigger. Each answer has its own address.
  /// - Throws: `CommandFailure` failure or unavailable.
  mutating func read(_ address: String) throws(CommandFailure) -> [OSCMessage] {
    let answers = try request(OSCMessage("/get", .string(address)))
    return try named(answers, as: address, unless: "/get")
  }

  /// Sends one message as a request. Each answer has its own address, also if a pattern matched only one.
  /// - Throws: `CommandFailure` failure or unavailable.
  mutating func perform(_ message: OSCMessage) throws(CommandFailure) -> [OSCMessage] {
    try named(try request(message), as: message.address, unless: message.address)
  }

  /// A response with a single answer carries no address for it. If the request was a pattern, a `/get` finds the address.
  private func named(
    _ answers: [OSCMessage], as address: String, unless carrier: String
  ) throws(CommandFailure) -> [OSCMessage] {
    guard answers.count == 1, answers[0].address == carrier else { return answers }
    guard AddressPattern.isPattern(address) else { return [OSCMessage(address, answers[0].arguments)] }
    try send(OSCMessage("/get", .string(address)))
    guard let packet = try receive(within: options.timeout), let message = packet.messages.first else {
      throw silence
    }
    // A leaf that only acts, such as `fade`, cannot be read and keeps the pattern as its address.
    let found = message.address == "/error" ? address : message.address
    return [OSCMessage(found, answers[0].arguments)]
  }

  /// The answers of a response. Its arguments are id, code and address, then the single result, the number of answers sent before, or
  /// the error's symbol and text.
  private static func result(
    of response: OSCMessage, to message: OSCMessage, before answers: [OSCMessage]
  ) throws(CommandFailure) -> [OSCMessage] {
    let arguments = response.arguments
    guard arguments.count >= 3, arguments[1] == .int32(0) else {
      throw refusal([arguments.count > 1 ? arguments[1] : .int32(0)] + arguments.dropFirst(3))
    }
    let result = Array(arguments.dropFirst(3))
    guard !answers.isEmpty else { return result.isEmpty ? [] : [OSCMessage(message.address, result)] }
    guard case .int32(let count) = result.last, count == answers.count else {
      throw CommandFailure(
        .unavailable,
        "multiroute: some answers to \(message.address) were lost on the network; try again, or ask for fewer addresses."
      )
    }
    return answers
  }

  /// `symbol (code): sentence`
  static func refusal(_ arguments: some Collection<OSCArgument>) -> CommandFailure {
    let words = arguments.map(\.plain)
    guard words.count >= 3 else { return CommandFailure(.failure, words.joined(separator: " ")) }
    return CommandFailure(.failure, "\(words[1]) (\(words[0])): \(words[2])")
  }

  // MARK: Packets

  /// Sends one message.
  /// - Throws: `CommandFailure` unavailable.
  func send(_ message: OSCMessage) throws(CommandFailure) {
    do throws(SocketError) { try client.send(message) } catch { throw failure(error) }
  }

  /// Sends messages as one bundle. A Unix socket takes only a few packets at once.
  /// - Throws: `CommandFailure` unavailable.
  func send(_ messages: [OSCMessage]) throws(CommandFailure) {
    do throws(SocketError) {
      try client.send(.bundle(OSCBundle(messages.map(OSCPacket.message))))
    } catch { throw failure(error) }
  }

  /// Waits for the next packet; nil if none comes within `time`.
  /// - Throws: `CommandFailure` unavailable if no program receives at the address.
  func receive(within time: Duration) throws(CommandFailure) -> OSCPacket? {
    do throws(SocketError) { return try client.receive(timeout: time) } catch { throw failure(error) }
  }

  /// The failure that no router answered, with advice.
  var silence: CommandFailure {
    let seconds = Double(options.timeout / .milliseconds(1)) / 1_000
    return Self.unanswered(
      "multiroute: no router answers at \(options.router) within \(seconds.shortText) s.",
      isLocal: client.peer.isLocal)
  }

  private func failure(_ error: SocketError) -> CommandFailure {
    Self.failure(error, options.router, isLocal: client.peer.isLocal)
  }

  private static func failure(_ error: SocketError, _ router: Endpoint, isLocal: Bool) -> CommandFailure {
    if error.isRefused { return unanswered("multiroute: no router listens at \(router).", isLocal: isLocal) }
    if case .closed = error { return unanswered("multiroute: \(error)", isLocal: isLocal) }
    if error.isMissing { return unanswered("multiroute: \(error)", isLocal: isLocal) }
    return CommandFailure(.unavailable, "multiroute: \(error)")
  }

  private static func unanswered(_ what: String, isLocal: Bool) -> CommandFailure {
    var lines = [
      what,
      "Start one with: multiroute run   Or say where it is: --to HOST:PORT, --to tcp:HOST:PORT or --to unix:PATH",
    ]
    if !isLocal {
      lines.append(
        "A router answers other machines only if --osc names its network address and the configuration lists them under \"hosts\"."
      )
    }
    return CommandFailure(.unavailable, lines)
  }
}
