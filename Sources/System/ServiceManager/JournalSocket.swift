public import SystemCalls

/// The socket at which systemd's journal receives entries with fields (Native Journal Protocol).
///
/// A call waits while the journal takes no entry, so it belongs on a thread of its own.
public final class JournalSocket: Sendable {
  public static let usualPath = "/run/systemd/journal/socket"
  private let descriptor: Int32
  private let address: SocketAddress

  /// - Throws: `SystemError` if the system has no more sockets.
  public init(path: String = usualPath) throws(SystemError) {
    address = .unix(path: path)
    descriptor = try System.socket(.unix, .datagram)
  }

  deinit { System.close(descriptor) }

  /// Sends an entry.
  ///
  /// - Throws: `SystemError` if the journal is not there.
  public func send(_ entry: JournalEntry) throws(SystemError) {
    // With the address each time: a journal that was restarted has another socket there.
    _ = try System.send(descriptor, Array(entry.text.utf8)[...], to: address, waits: true)
  }

  /// Whether a descriptor leads to the journal.
  ///
  /// - Parameter stream: the value of `JOURNAL_STREAM`, `DEVICE:INODE` (systemd.exec(5)). A child of a service inherits it with whatever
  ///   standard error it is given, so the numbers are compared.
  public static func isJournal(_ descriptor: Int32, stream: String?) -> Bool {
    guard let stream, let status = try? System.fstat(descriptor) else { return false }
    return stream == "\(status.device):\(status.inode)"
  }
}
