import ControlInterface

/// The lines of the log about WebSockets, limited so that a host cannot fill the log.
struct WebSocketNotices {
  /// What happened to a connection.
  enum Notice: Hashable {
    /// It was closed at once, because so many places are taken: those of one host, or all.
    case refused(Int, ofHost: Bool)
    /// Its client reads too slowly.
    case lost
    /// Its client has read nothing for a while.
    case unread
    /// Its client has left too many answers unread.
    case overfull
    /// A message was too long.
    case tooLong

    /// What of it may be told only once in a while.
    fileprivate var kind: Int {
      switch self {
      case .refused: 0
      case .lost: 1
      case .unread: 2
      case .overfull: 3
      case .tooLong: 4
      }
    }
  }

  private var limiter = NoticeLimiter()

  /// The line about a connection of a host; nil if a similar one was told lately.
  mutating func line(_ notice: Notice, of host: HostAddress, at time: Double) -> String? {
    guard limiter.mayTell(notice.kind, of: host, every: 60, at: time) else { return nil }
    switch notice {
    case .refused(let places, ofHost: false):
      return "all \(places) HTTP connections are taken; further ones are closed at once"
    case .refused(let places, ofHost: true):
      return "\(host) has \(places) HTTP connections, the most of one host; further ones are closed at once"
    case .lost:
      return
        "a WebSocket client at \(host) reads too slowly: it gets no feedback until it has read what waits, and then all values anew"
    case .unread: return "a WebSocket client at \(host) was dropped: it reads nothing"
    case .overfull:
      return
        "a WebSocket client at \(host) was dropped: it left more than \(WebSocketOutbox.mostBytes >> 10) KiB of answers unread"
    case .tooLong:
      return
        "a WebSocket connection of \(host) was closed: a message has more than \(Framing.limit) bytes, or no end"
    }
  }
}
