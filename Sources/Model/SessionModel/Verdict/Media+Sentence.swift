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
        let sentence = player.sentence(silence(of: player))
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

extension RouterState {
  /// Why a player that plays is not heard; nil if it is.
  private func silence(of player: MediaPlayer) -> String? {
    if player.isMuted { return "muted" }
    if Decibels(player.gain.target).isOff { return "turned off" }
    return silencer(of: .player(player.id)).map(silencing)
  }

  /// Why no sound comes into a stream: of its programs, or, while no program is connected, of its players; nil if sound comes.
  func silence(of stream: SessionStream, in session: Session) -> String? {
    if let silence = stream.silence { return silence.sentence }
    guard session.runningPlayers > 0, !session.isConnected || session.isVanishing else { return nil }
    let playing = players.values.filter {
      $0.session == session.id && $0.stream == stream.id && $0.isRunning
    }
    let silences = playing.compactMap { player in silence(of: player).map { "\(player.id) is \($0)" } }
    return silences.count == playing.count ? silences.first : nil
  }
}

extension MediaPlayer {
  /// What the player does; nil if nothing is to be said.
  /// - Parameter silence: why it is not heard.
  fileprivate func sentence(_ silence: String?) -> String? {
    switch transport {
    case .playing where startTime != nil: "its player \(id) waits for its start"
    case .playing: "its player \(id) plays \(title ?? "nothing")\(silence.map { ", \($0)" } ?? "")"
    case .paused: "its player \(id) is paused"
    case .interrupted: "its player \(id) is interrupted"
    case .stopped: nil
    }
  }
}
