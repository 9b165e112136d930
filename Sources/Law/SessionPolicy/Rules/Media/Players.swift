import Queues
import SessionModel

/// Decides the commands to players, and what follows from what they report (docs/develop/law/media.md).
enum Players {
  static func decide(
    _ state: inout RouterState, _ id: PlayerID, _ event: MediaPlayerEvent, at time: Double
  ) throws(SessionError) -> [Notification] {
    switch event {
    case .create(let session, let stream, let seed):
      return try create(&state, id, session, stream, seed: seed)
    case .remove: return try remove(&state, id)
    case .set(let setting): try set(&state, id, setting, at: time)
    case .order(let order): return try obey(&state, id, order, at: time)
    case .queue(let edit): return try change(&state, id, edit, at: time)
    case .report(let report): return take(&state, id, report, at: time)
    }
    return []
  }

  private static func create(
    _ state: inout RouterState, _ id: PlayerID, _ session: SessionID, _ stream: StreamID, seed: UInt64
  ) throws(SessionError) -> [Notification] {
    guard state.players[id] == nil else {
      throw SessionError(.exists, "there is a player \(id) already; remove it first or choose another id")
    }
    guard state.players.count < RouterState.maximumPlayers else {
      throw SessionError(
        .full, "there are \(state.players.count) players, the maximum; remove one first")
    }
    if let category = state.sessions[session]?.category, !category.hasStreams {
      throw SessionError(
        .incompatibleCategory, "\(session) is \(category.rawValue), which has no output to play into")
    }
    try state.withStream(session, stream) { _ throws(SessionError) in }
    state.players[id] = MediaPlayer(id: id, session: session, stream: stream, seed: seed)
    return [.player(id, .created)]
  }

  /// Removes a player. What it plays fades out.
  static func remove(_ state: inout RouterState, _ id: PlayerID) throws(SessionError) -> [Notification] {
    guard let player = state.players[id] else {
      throw missing("player", id.name, among: state.players.keys)
    }
    if player.isRunning { state.sessions.update(player.session) { $0.runningPlayers -= 1 } }
    state.players[id] = nil
    state.nowPlayingPlayers.removeAll { $0 == id }
    return [.player(id, .removed)]
  }

  private static func set(
    _ state: inout RouterState, _ id: PlayerID, _ setting: PlayerSetting, at time: Double
  ) throws(SessionError) {
    let curve = state.fadeCurve
    let channels = state.players[id].map { state.channels(of: $0) } ?? 0
    switch setting {
    case .pan(let move): try ChannelControls.checkPan(move, of: id.name, having: channels)
    case .rate(let rate) where rate != 1 && channels > MediaPlayer.mostStretchedChannels:
      throw SessionError(
        .badParam,
        "\(id) has \(channels) channels; other speeds than 1 are for 1 to \(MediaPlayer.mostStretchedChannels) channels"
      )
    default: break
    }
    guard
      state.players.update(
        id,
        { player in
          switch setting {
          case .gain(let move): player.gain.move(move, curve: curve, at: time, isLevel: true)
          case .muted(let isMuted): player.isMuted = isMuted
          case .pan(let move): player.pan.move(move, curve: curve, at: time, isLevel: false)
          case .rate(let rate): player.rate = rate
          case .loops(let loops): player.loops = loops
          case .finish(let finish): player.finish = finish
          case .normalisation(let loudness): player.normalisation = loudness
          case .crossfade(let seconds): player.crossfade = seconds
          case .remote(let isRemote): player.isRemote = isRemote
          case .kept(let isKept): player.isKept = isKept
          case .repeats(let mode): player.queue.value.repeatMode = mode
          case .shuffles(let mode): player.queue.value.shuffleMode = mode
          }
        }) != nil
    else { throw missing("player", id.name, among: state.players.keys) }
  }
}

extension RouterState {
  /// Changes a player in place, and all that follows from what it then does: the number of players that play into its session, and
  /// which player `/remote` reaches.
  /// - Returns: that the player has another state, and that another item plays.
  /// - Throws: `SessionError` notFound, with the names that exist, if there is no such player; what `body` throws.
  mutating func changePlayer(
    _ id: PlayerID, _ body: (inout MediaPlayer) throws(SessionError) -> Void
  ) throws(SessionError) -> [Notification] {
    guard let before = players[id] else { throw missing("player", id.name, among: players.keys) }
    var player = before
    try body(&player)
    var told: [Notification] = player.state == before.state ? [] : [.player(id, .state(player.state))]
    if player.isRunning, player.announced != player.passes, let item = player.queue.value.present {
      player.announced = player.passes
      let index = player.queue.value.index ?? 0
      told.append(.nowPlaying(id, index, media: item.media, title: item.title))
    }
    players[id] = player
    guard player.isRunning != before.isRunning else { return told }
    sessions.update(player.session) { $0.runningPlayers += player.isRunning ? 1 : -1 }
    if player.isRunning {
      nowPlayingPlayers.removeAll { $0 == id }
      nowPlayingPlayers.append(id)
    }
    return told
  }
}

extension MediaPlayer {
  /// Goes to a place in the present item.
  mutating func jump(to seconds: Double) {
    jump.number += 1
    jump.seconds = seconds
  }

  /// Begins a pass at the beginning of its item, because of an order.
  mutating func beginPass() {
    passes += 1
    facts = facts.ofNewItem
    jump(to: 0)
  }

  /// Begins a pass whose item sounds already.
  mutating func takePass(at time: Double) {
    let speed = facts.mark.speed
    passes += 1
    facts = facts.ofNewItem
    facts.jump = jump.number
    facts.mark = PlayerFacts.Mark(seconds: 0, time: time, speed: speed)
  }

  /// Stops, and keeps the place.
  mutating func stop() {
    (transport, isPrepared, winding, startTime) = (.stopped, false, .none, nil)
  }
}

extension PlayerFacts {
  /// What is known of an item that the player has not reported of.
  fileprivate var ofNewItem: PlayerFacts {
    var new = PlayerFacts()
    new.underruns = underruns
    return new
  }
}
