import SessionModel

/// Pauses players and recorders whose sessions are interrupted or end, lets them go on when these are back, and removes those whose
/// session, stream or port is gone (docs/develop/law/media.md#6-players-and-their-sessions).
enum MediaSessions {
  static func apply(
    _ state: inout RouterState, after event: Event, since before: RouterState, at time: Double
  ) -> [Notification] {
    guard !state.players.isEmpty || !state.recorders.isEmpty, !event.isMediaFact else { return [] }
    var told: [Notification] = []
    for change in playerChanges(state, at: time) {
      switch change {
      case (let id, nil): told += (try? Players.remove(&state, id)) ?? []
      case (let id, let transport?):
        told += Players.change(&state, id) { player in
          player.transport = transport
          player.winding = .none
          switch transport {
          case .playing: if let start = player.startTime, start <= time { player.startTime = nil }
          case .paused, .stopped: player.startTime = nil
          case .interrupted: break
          }
        }
      }
    }
    return told + Recorders.follow(&state, since: before, at: time)
  }

  /// The players that do something else from now on; nil for one whose stream is gone.
  private static func playerChanges(
    _ state: RouterState, at time: Double
  ) -> [(PlayerID, PlayerTransport?)] {
    var changes: [(PlayerID, PlayerTransport?)] = []
    state.players.forEachValue { player in
      let hasStream = state.sessions.contains(player.session) { $0.streams.contains(player.stream) }
      guard hasStream else { return changes.append((player.id, nil)) }
      guard player.isPlaying || player.transport == .interrupted else { return }
      let transport = state.sessions.read(player.session) { session in
        player.transport(in: session, isOffline: state.server.isOffline)
      }
      if let transport, transport != player.transport { changes.append((player.id, transport)) }
    }
    return changes
  }
}

extension MediaPlayer {
  /// What a player that plays or is interrupted does in a session.
  fileprivate func transport(in session: Session, isOffline: Bool) -> PlayerTransport {
    if session.isActive {
      return (try? InputOutput.checkCategory(of: session, isOffline: isOffline)) == nil ? .paused : .playing
    }
    return session.mayComeBack ? .interrupted : .paused
  }
}

extension Session {
  /// Whether the session is interrupted, may resume, or waits for the audio server.
  var mayComeBack: Bool { displacement != nil || mayReturn || returnsAfterReset }
}

extension Event {
  /// Whether the event is a player's or recorder's report of its place, which changes nothing else.
  var isMediaFact: Bool {
    switch self {
    case .player(_, .report(.facts)), .recorder(_, .report(.facts)): true
    default: false
    }
  }
}
