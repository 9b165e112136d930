import AwaitedEvents
import Foundation
import OSC
import Testing

/// A double of nsmd, the session manager, written from its protocol: it answers an announcement, and sends what a test tells it.
final class SessionManager {
  /// A message from the router, as its bytes.
  struct Received: Sendable {
    let bytes: [UInt8]
    let sender: PeerAddress
  }

  private let received = AwaitedEvents<Received>()
  private let receiver: UDPReceiver
  /// How many messages earlier calls have consumed.
  private var consumed = 0

  /// - Parameter host: at which it receives; nsmd announces its machine's name, which is often 127.0.1.1.
  init(host: String = "127.0.0.1") throws {
    let received = received
    receiver = try UDPReceiver(
      socket: UDPSocket(host: host, port: 0), name: "nsmd",
      peek: { bytes, sender in
        received.add(
          Received(bytes: bytes.withUnsafeBufferPointer { Array($0) }, sender: sender))
      }, handler: { _, _ in })
  }

  deinit { receiver.stop() }

  /// The value of `NSM_URL`.
  var url: String { "osc.udp://\(receiver.socket.localAddress)/" }

  /// Sends a message to the router.
  func send(_ address: String, _ arguments: OSCArgument...) throws {
    let client = try #require(received.first { $0.sender }, "nothing has come from the router")
    try receiver.socket.send(PacketEncoder.encode(.message(OSCMessage(address, arguments))), to: client)
  }

  /// Answers the announcement as nsmd does.
  func welcome() throws {
    try send(
      "/reply", .string("/nsm/server/announce"), .string("Ackowledged as a NSM client."),
      .string("New Session Manager"), .string(":server-control:broadcast:optional-gui:"))
  }

  /// Orders the router to open a project.
  func open(_ path: String, _ name: String, _ client: String) throws {
    try send("/nsm/client/open", .string(path), .string(name), .string(client))
  }

  /// Waits for the next message from the router, and returns its bytes.
  func next() throws -> [UInt8] {
    let (received, consumed) = (received, consumed)
    let hasCome = received.wait(until: { received.all.count > consumed })
    try #require(hasCome, "no message has come after \(consumed)")
    let message = received.all[consumed]
    self.consumed += 1
    return message.bytes
  }

  /// Waits for messages in this order, with nothing between them.
  func expect(_ messages: [UInt8]..., sourceLocation: SourceLocation = #_sourceLocation) throws {
    for message in messages {
      let next = try next()
      #expect(
        next == message, "\(Self.text(next)) and not \(Self.text(message))", sourceLocation: sourceLocation)
    }
  }

  /// Takes the message that comes next without looking at its last text, which is for people, and returns that.
  func expectError(_ address: String, _ code: Int32, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> String
  {
    let bytes = try next()
    let start = Message.text("/error") + Message.text(",sis") + Message.text(address) + Message.number(code)
    #expect(Array(bytes.prefix(start.count)) == start, "\(Self.text(bytes))", sourceLocation: sourceLocation)
    return String(decoding: bytes.dropFirst(start.count).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The number of messages that no call has consumed.
  var rest: Int { received.all.count - consumed }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.map { $0 == 0 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
  }
}

extension SessionManager {
  /// The messages of the protocol, byte by byte.
  enum Message {
    /// A text, with its zeros.
    static func text(_ text: String) -> [UInt8] {
      Array(text.utf8) + [UInt8](repeating: 0, count: 4 - text.utf8.count % 4)
    }

    static func number(_ number: Int32) -> [UInt8] { Wire.words(UInt32(bitPattern: number)) }

    static func announcement(executable: String, process: Int32) -> [UInt8] {
      text("/nsm/server/announce") + text(",sssiii") + text("multiroute")
        + text(":dirty:switch:progress:message:") + text(executable) + number(1)
        + number(1) + number(process)
    }

    static func progress(_ fraction: Float) -> [UInt8] {
      text("/nsm/client/progress") + text(",f") + number(Int32(bitPattern: fraction.bitPattern))
    }

    static func reply(_ address: String, _ sentence: String) -> [UInt8] {
      text("/reply") + text(",ss") + text(address) + text(sentence)
    }

    static let dirty = text("/nsm/client/is_dirty") + text(",")
    static let clean = text("/nsm/client/is_clean") + text(",")
    static let loaded = reply("/nsm/client/open", "Loaded.")
    static let saved = reply("/nsm/client/save", "Saved.")
  }
}
