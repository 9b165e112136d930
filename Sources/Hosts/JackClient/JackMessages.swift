import Synchronization

/// libjack's error and information lines in this process, kept for the log.
///
/// libjack calls its message functions from any thread, even inside `jack_client_close`. So they only fill a
/// ring.
public enum JackMessages {
  /// One line of libjack.
  public struct Message: Hashable, Sendable {
    public var isError: Bool
    public var text: String
  }

  /// Set once, before libjack gets the message functions; read-only from then on. Lives as long as the
  /// process.
  nonisolated(unsafe) private static var ring: UnsafeMutablePointer<NoticeRing>?
  private static let isReading = Atomic<Bool>(false)

  @_noLocks static func post(isError: Bool, _ text: UnsafePointer<CChar>?) {
    guard let ring else { return }
    ring.pointee.post(kind: isError ? .error : .information, value: 0, text: text)
  }

  /// Redirects libjack's messages to this ring. Call it before a client is opened. Calling it again has no effect.
  static func install() { _ = installed }

  private static let installed: Void = {
    let fresh = UnsafeMutablePointer<NoticeRing>.allocate(capacity: 1)
    fresh.initialize(to: NoticeRing(capacity: 64))
    ring = fresh
    JackCalls.setMessageFunctions()
  }()

  /// Takes the lines since the last call, oldest first; empty while another thread takes them.
  public static func take() -> [Message] {
    guard let ring, !isReading.exchange(true, ordering: .acquiring) else { return [] }
    defer { isReading.store(false, ordering: .releasing) }
    var messages: [Message] = []
    while let line = ring.pointee.take() {
      messages.append(Message(isError: line.kind == .error, text: line.text))
    }
    return messages
  }
}
