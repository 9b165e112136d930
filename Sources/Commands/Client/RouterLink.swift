import OSC

/// A router that a command talks to, request by request.
struct RouterLink {
  private let client: OSCClient
  private let options: ClientOptions
  private var lastRequest = Int32.random(in: 1...1_000_000_000)

  /// Looks the host up and opens a socket; nothing is sent yet.
  /// - Throws: `CommandFailure` unavailable.
  init(_ options: ClientOptions) throws(CommandFailure) {
    self.options = options
    do throws(SocketError) {
      client = try OSCClient(host: options.router.host, port: options.router.port)
    } catch {
      throw CommandFailure(.unavailable, "multiroute: \(error)")
    }
  }

  // MARK: Requests

  /// Has one message carried out and returns its answers; an answer to the message's own address is among them under that.
  /// - Throws: `CommandFailure` failure with what the router says, unavailable when it says nothing.
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

  /// Reads an address or pattern without firing anything; each answer has its own address.
  /// - Throws: `CommandFailure` failure or unavailable.
  mutating func read(_ address: String) throws(CommandFailure) -> [OSCMessage] {
    let answers = try request(OSCMessage("/get", .string(address)))
    return try named(answers, as: address, unless: "/get")
  }

  /// Has one message carried out; each answer has its own address, also where a pattern meant a single leaf.
  /// - Throws: `CommandFailure` failure or unavailable.
  mutating func perform(_ message: OSCMessage) throws(CommandFailure) -> [OSCMessage] {
    try named(try request(message), as: message.address, unless: message.address)
  }

  /// A single answer travels in the response, which does not say whose it is; behind a pattern that is looked up.
  private func named(
    _ answers: [OSCMessage], as address: String, unless carrier: String
  ) throws(CommandFailure) -> [OSCMessage] {
    guard answers.count == 1, answers[0].address == carrier else { return answers }
    guard AddressPattern.isPattern(address) else { return [OSCMessage(address, answers[0].arguments)] }
    try send(OSCMessage("/get", .string(address)))
    guard let packet = try receive(within: options.timeout), let message = packet.messages.first else {
      throw silence
    }
    return [OSCMessage(message.address, answers[0].arguments)]
  }

  /// What a response says: id, code, address, then the result, the count of answers before it, or symbol and text.
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
        "multiroute: some answers to \(message.address) got lost on the network; try again, or ask for less.")
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

  /// Waits for the next packet; nil when the time is over.
  /// - Throws: `CommandFailure` unavailable when nobody listens there.
  func receive(within time: Duration) throws(CommandFailure) -> OSCPacket? {
    do throws(SocketError) { return try client.receive(timeout: time) } catch { throw failure(error) }
  }

  /// That nobody answered, and what to do.
  var silence: CommandFailure {
    let seconds = Double(options.timeout / .milliseconds(1)) / 1_000
    return unanswered("multiroute: no router answers at \(options.router) within \(seconds.short) s.")
  }

  private func failure(_ error: SocketError) -> CommandFailure {
    error.isRefused
      ? unanswered("multiroute: no router listens at \(options.router).")
      : CommandFailure(.unavailable, "multiroute: \(error)")
  }

  private func unanswered(_ what: String) -> CommandFailure {
    var lines = [what, "Start one with: multiroute run   Or say where it is: --to HOST:PORT"]
    if !client.peer.isLoopback {
      lines.append(
        "A router hears other machines only with --osc on its network and a right for them under hosts.")
    }
    return CommandFailure(.unavailable, lines)
  }
}
