public import SessionModel

extension Notification {
  /// The session that the notification is about; nil if it is about none.
  public var session: SessionID? {
    switch self {
    case .route(let id, _, _, _), .inputs(let id), .active(let id, _, _), .interruption(let id, _, _),
      .recommendation(let id, _), .hint(let id, _), .outputMute(let id, _), .category(let id, _),
      .session(let id, _), .process(let id, _, _):
      id
    case .report(let id, _): id
    case .error(_, let address, _):
      address.split(separator: "/").first == "session"
        ? address.split(separator: "/").dropFirst().first.flatMap { SessionID(String($0)) } : nil
    case .port, .media, .player, .recorder, .nowPlaying, .preset, .xrun, .glitch, .health: nil
    }
  }
}
