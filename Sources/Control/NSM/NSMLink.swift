public import OSC
import Synchronization

/// A conversation with a session manager over a socket. All messages leave from one port, by which the session manager knows this program.
public final class NSMLink: Sendable {
  /// What the session manager wants.
  public enum News: Equatable, Sendable {
    case accepted(by: String)
    case refused(code: Int32, reason: String)
    case order(NSMOrder)
  }

  private let socket: LooseSocket
  private let conversation: Mutex<NSMConversation>
  private let handler: @Sendable (News) -> Void

  /// Opens the socket. Sends nothing. The look-up of a host name may take seconds.
  ///
  /// - Parameter handler: gets the news on a thread of the link, or of the caller of `finish`. It must not call the link.
  /// - Throws: `SocketError`.
  public init(
    _ address: NSMAddress, _ conversation: NSMConversation, handler: @escaping @Sendable (News) -> Void
  ) throws(SocketError) {
    socket = try LooseSocket(host: address.host, port: address.port)
    self.conversation = Mutex(conversation)
    self.handler = handler
  }

  /// Announces this program.
  /// - Throws: `SocketError` if the system cannot make a thread.
  public func open() throws(SocketError) {
    try socket.receive(on: "mr-nsm-in") { [weak self] packet in
      for message in packet.messages { self?.change { $0.receive(message) } }
    }
    change { $0.begin() }
  }

  /// Ends the conversation, without a message: the protocol has none.
  public func close() { socket.close() }

  /// Answers the order in hand. The next one may follow at once.
  public func finish(_ outcome: Result<String, NSMFailure>) { change { $0.finish(outcome) } }

  /// Tells whether settings differ from those that are saved.
  public func tell(isDirty: Bool) { change { $0.tell(isDirty: isDirty) } }

  /// Tells how much of the order in hand is done, from 0 to 1.
  public func tell(progress: Float) { change { $0.progress(progress) } }

  /// Tells people what they should know, with a priority from 0 to 3.
  public func tell(_ sentence: String, priority: Int32) { change { $0.tell(sentence, priority: priority) } }

  /// Advances the conversation. Messages of several threads leave in the order of the conversation.
  private func change(_ body: (inout NSMConversation) -> [NSMConversation.Step]) {
    conversation.withLock { conversation in
      for step in body(&conversation) {
        switch step {
        // A session manager that is gone leaves the router running.
        case .send(let message): socket.send(message)
        case .accepted(let name): handler(.accepted(by: name))
        case .refused(let code, let reason): handler(.refused(code: code, reason: reason))
        case .order(let order): handler(.order(order))
        }
      }
    }
  }
}
