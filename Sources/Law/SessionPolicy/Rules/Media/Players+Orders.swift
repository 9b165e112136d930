import Queues
import SessionModel

/// Orders to the transport (docs/develop/law/media.md#2-playing, docs/develop/law/media.md#3-places).
extension Players {
  static func obey(
    _ state: inout RouterState, _ id: PlayerID, _ order: PlayerOrder, at time: Double
  ) throws(SessionError) -> [Notification] {
    guard let player = state.players[id] else {
      throw missing("player", id.name, among: state.players.keys)
    }
    try check(order, of: player, channels: state.channels(of: player))
    switch order {
    case .play(let delay): return try play(&state, player, after: delay, at: time)
    case .toggle where player.isPlaying: return try obey(&state, id, .pause, at: time)
    case .toggle: return try play(&state, player, after: 0, at: time)
    default:
      return try state.changePlayer(id) { player throws(SessionError) in
        player.orders += 1
        try player.obey(order)
      }
    }
  }

  /// Refuses an order that a player cannot follow at present.
  private static func check(
    _ order: PlayerOrder, of player: MediaPlayer, channels: Int
  ) throws(SessionError) {
    let id = player.id
    switch order {
    case .play, .prepare, .next, .previous, .beginning, .seek, .seekPart:
      guard player.queue.value.isEmpty, player.search == nil else { break }
      throw SessionError(
        .notFound, "\(id) has nothing to play; add something first (/player/\(id)/queue/add)")
    case .toggle where !player.isPlaying: try check(.play(), of: player, channels: channels)
    case .wind(_, true) where !player.isRunning:
      throw SessionError(.badValue, "\(id) is \(player.state.rawValue), so it cannot be wound; play it first")
    case .wind(.forward, true) where channels > MediaPlayer.mostStretchedChannels:
      throw SessionError(
        .badParam,
        "\(id) has \(channels) channels; fast forward is for 1 to \(MediaPlayer.mostStretchedChannels) channels, so go to a place instead (/player/\(id)/position)"
      )
    default: break
    }
    if case .seekPart = order, player.facts.duration == nil {
      throw SessionError(
        .notYet, "the length of what \(id) plays is not known yet; go to a place in seconds instead")
    }
  }

  /// Plays, in a session that is active or becomes so first. What the law says against that is the answer.
  private static func play(
    _ state: inout RouterState, _ player: MediaPlayer, after delay: Double, at time: Double
  ) throws(SessionError) -> [Notification] {
    var told: [Notification] = []
    if let session = state.sessions[player.session] {
      try InputOutput.checkOutput(of: session, isOffline: state.server.isOffline)
      // An interrupted player goes on by itself with its session; the order decides anew.
      if !session.isActive {
        told = try Activations.activate(&state, session.id, by: .app, at: time)
      }
    }
    return try told
      + state.changePlayer(player.id) { player throws(SessionError) in
        player.orders += 1
        // What sounds plays on; it cannot begin later.
        player.startTime = delay > 0 && !player.isRunning ? time + delay : nil
        player.transport = .playing
        player.winding = .none
      }
  }
}

extension MediaPlayer {
  /// Follows any order but `play`.
  fileprivate mutating func obey(_ order: PlayerOrder) throws(SessionError) {
    switch order {
    case .play, .toggle: break
    case .pause:
      guard isPlaying || transport == .interrupted else { return }
      (transport, winding, startTime) = (.paused, .none, nil)
    case .stop:
      if transport == .stopped { jump(to: 0) }
      stop()
    case .prepare: isPrepared = true
    case .seek(let seconds): jump(to: max(0, facts.duration.map { min($0, seconds) } ?? seconds))
    case .seekPart(let part): jump(to: (facts.duration ?? 0) * min(1, max(0, part)))
    case .wind(let wanted, true): winding = wanted
    case .wind(let wanted, false): if winding == wanted { winding = .none }
    case .next: take(queue.value.next())
    case .previous: take(queue.value.previous())
    case .beginning: jump(to: 0)
    case .go(let index) where search != nil: search?.index = index
    case .go(let index):
      do throws(QueueError) { take(try queue.value.go(to: index)) } catch {
        throw SessionError(.outOfRange, "\(id): \(error)")
      }
    }
  }

  private mutating func take(_ step: PlayQueue.Step) {
    beginPass()
    if step == .end || step == .giveUp { stop() }
  }
}
