extension RouterState {
  /// Whether any player plays into a session, or would.
  func hasPlayer(_ session: Session) -> Bool {
    !players.isEmpty && players.contains { (player: MediaPlayer) in player.session == session.id }
  }

  /// What the players of a session do, and which recorders record by its permission.
  func playersAndRecorders(of session: Session) -> [String] {
    guard !players.isEmpty || !recorders.isEmpty else { return [] }
    var found: [String] = []
    players.forEachValue { player in
      if player.session == session.id,
        let sentence = player.sentence(isSilenced: silencer(of: .player(player.id)) != nil)
      {
        found.append(sentence)
      }
    }
    recorders.forEachValue { recorder in
      guard recorder.session == session.id, case .input(let input) = recorder.source else { return }
      switch recorder.transport {
      case .recording where recorder.isRunning: found.append("its recorder \(recorder.id) records \(input)")
      case .interrupted: found.append("its recorder \(recorder.id) is interrupted")
      case .recording, .paused, .stopped, .waiting: break
      }
    }
    return found
  }
}

extension MediaPlayer {
  /// What the player does; nil if nothing is to be said.
  /// - Parameter isSilenced: whether a group silences it.
  fileprivate func sentence(isSilenced: Bool) -> String? {
    switch transport {
    case .playing where startTime != nil: "its player \(id) waits for its start"
    case .playing: "its player \(id) plays \(title ?? "nothing")\(isMuted || isSilenced ? ", muted" : "")"
    case .paused: "its player \(id) is paused"
    case .interrupted: "its player \(id) is interrupted"
    case .stopped: nil
    }
  }
}
