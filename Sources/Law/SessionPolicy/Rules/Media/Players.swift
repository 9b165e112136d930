import Queues
import SessionModel

/// Decides the commands to players, and what follows from what they report (docs/law/media.md).
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
      throw SessionError(.full, "there are \(state.players.count) players, the maximum; remove one first")
    }
    try state.withStream(session, stream) { _ throws(SessionError) in }
    state.players[id] = MediaPlayer(id: id, session: session, stream: stream, seed: seed)
    return [.player(id, .created)]
  }

  private static func remove(_ state: inout RouterState, _ id: PlayerID) throws(SessionError)
    -> [Notification]
  {
    guard state.players.contains(id) else { throw missing("player", id.name, among: state.players.keys) }
    state.players[id] = nil
    return [.player(id, .removed)]
  }

  private static func set(
    _ state: inout RouterState, _ id: PlayerID, _ setting: PlayerSetting, at time: Double
  ) throws(SessionError) {
    let curve = state.fadeCurve
    try state.withPlayer(id) { player in
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
    }
  }

  private static func obey(
    _ state: inout RouterState, _ id: PlayerID, _ order: PlayerOrder, at time: Double
  ) throws(SessionError) -> [Notification] {
    var told: [Notification] = []
    if case .play = order, let session = state.players[id]?.session,
      state.sessions[session]?.isActive == false
    {
      told = try Activations.activate(&state, session, by: .app, at: time)
    }
    let before = state.players[id]?.state
    try state.withPlayer(id) { player in
      player.orders += 1
      switch order {
      case .play(let delay):
        player.transport = .playing
        player.startTime = delay > 0 ? time + delay : nil
      case .pause: if player.isPlaying { player.transport = .paused }
      case .stop: player.transport = .stopped
      case .prepare: player.isPrepared = true
      case .seek(let seconds):
        player.jump.number += 1
        player.jump.seconds = seconds
      default: break
      }
    }
    if let state = state.players[id]?.state, state != before { told.append(.player(id, .state(state))) }
    return told
  }

  private static func change(
    _ state: inout RouterState, _ id: PlayerID, _ edit: QueueEdit, at time: Double
  ) throws(SessionError) -> [Notification] {
    try state.withPlayer(id) { player throws(SessionError) in
      do throws(QueueError) {
        switch edit {
        case .add(let items): try player.queue.value.add(items)
        case .insert(let items, let index): try player.queue.value.insert(items, at: index)
        case .move(let from, let to): try player.queue.value.move(from: from, to: to)
        case .remove(let index): if try player.queue.value.remove(at: index) { player.passes += 1 }
        case .clear:
          player.queue.value.clear()
          player.passes += 1
        case .replace(let items):
          player.queue.value.clear()
          try player.queue.value.add(items)
          player.passes += 1
        }
      } catch { throw SessionError(.outOfRange, error.description) }
    }
    return []
  }

  private static func take(
    _ state: inout RouterState, _ id: PlayerID, _ report: PlayerReport, at time: Double
  ) -> [Notification] {
    switch report {
    case .facts(let pass, let facts):
      state.players.update(id) { if $0.passes == pass { $0.facts = facts } }
    case .advanced(let pass):
      state.players.update(id) { player in
        guard player.passes == pass else { return }
        _ = player.queue.value.finish()
        player.passes += 1
      }
    default: break
    }
    return []
  }
}

extension RouterState {
  /// Changes a player in place.
  /// - Throws: `SessionError` notFound, with the names that exist, if there is no such player; what `body` throws.
  mutating func withPlayer<Result>(
    _ id: PlayerID, _ body: (inout MediaPlayer) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    guard let result = try players.update(id, body) else {
      throw missing("player", id.name, among: players.keys)
    }
    return result
  }
}
