import ControlInterface

/// The lines of the log about connections, limited so that a host cannot fill the log.
struct TCPNotices {
  /// What happened to a connection.
  enum Notice: Hashable {
    /// It was closed at once.
    case refused(TCPOutbox.Refusal)
    /// The client has left too much unread.
    case unread
    /// The packets could not be told apart any more.
    case malformed(FramingError)

    /// What of it may be told only once in a while.
    fileprivate var kind: Int {
      switch self {
      case .refused: 0
      case .unread: 1
      case .malformed: 2
      }
    }

    /// Seconds between two lines of the kind about a host.
    fileprivate var pause: Double { if case .unread = self { 1 } else { 60 } }
  }

  private var limiter = NoticeLimiter()

  /// The line about a connection of a host; nil if a similar one was told lately.
  mutating func line(_ notice: Notice, of host: HostAddress, at time: Double) -> String? {
    guard limiter.mayTell(notice.kind, of: host, every: notice.pause, at: time) else { return nil }
    switch notice {
    case .refused(.full):
      return "all \(TCPOutbox.capacity) TCP connections are taken; further ones are closed at once"
    case .refused(.fullForHost):
      return
        "\(host) has \(TCPOutbox.capacityOfHost) TCP connections, the most of one host; further ones are closed at once"
    case .unread:
      return
        "a TCP client at \(host) was dropped: it left more than \(TCPOutbox.mostBytes >> 20) MiB of answers and feedback unread"
    case .malformed(let error): return "a TCP connection of \(host) was closed: \(error)"
    }
  }
}
