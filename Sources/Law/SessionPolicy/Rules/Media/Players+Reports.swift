import Queues
import SessionModel

/// What players report (docs/develop/law/media.md#5-ends-and-failures). A report about an item that is no longer the present one changes nothing.
extension Players {
  static func take(
    _ state: inout RouterState, _ id: PlayerID, _ report: PlayerReport, at time: Double
  ) -> [Notification] {
    guard let player = state.players[id] else { return [] }
    switch report {
    case .facts(let pass, let facts):
      guard pass == player.passes else { return [] }
      state.players.update(id) { player in
        // What is heard is no failure, so failures before it no longer count. Before its seek, the item before it is heard.
        let isNew = player.facts.mark.speed == 0 || player.facts.jump != facts.jump
        if facts.mark.speed > 0, facts.jump == player.jump.number, isNew { player.queue.value.succeed() }
        player.facts = facts
      }
    case .started:
      guard player.isPlaying, player.startTime != nil else { return [] }
      return change(&state, id) { $0.startTime = nil }
    case .advanced(let pass, let intoBroken):
      guard pass == player.passes else { return [] }
      return goOn(&state, id, isHeard: true, isBroken: intoBroken, at: time) { $0.finish() }
    case .finished(let pass):
      guard pass == player.passes else { return [] }
      return goOn(&state, id, isHeard: false, at: time) { $0.finish() }
    case .failed(let pass, let error):
      guard pass == player.passes, let item = player.queue.value.present else { return [] }
      let failure = SessionError(error.code, "\(id) cannot play \(item.name): \(error.sentence)")
      return [.player(id, .failed), .error(client: 0, address: "/player/\(id)", failure)]
        + goOn(&state, id, isHeard: false, at: time) { $0.fail() }
    }
    return []
  }

  /// Goes on with the queue after the end of an item.
  /// - Parameters:
  ///   - isHeard: whether the next item sounds already.
  ///   - isBroken: whether the next item is known to be broken, so that it is not announced.
  private static func goOn(
    _ state: inout RouterState, _ id: PlayerID, isHeard: Bool, isBroken: Bool = false, at time: Double,
    _ move: (inout PlayQueue) -> PlayQueue.Step
  ) -> [Notification] {
    var step = PlayQueue.Step.end
    var told = change(&state, id) { player in
      step = move(&player.queue.value)
      switch step {
      case .play where isHeard: player.takePass(at: time)
      case .play: player.beginPass()
      case .end, .giveUp:
        player.beginPass()
        player.stop()
      }
      if isBroken { player.announced = player.passes }
    }
    guard step == .end || step == .giveUp else { return told }
    told.append(.player(id, .finished))
    if step == .giveUp {
      let sentence =
        "\(id) stops, because \(PlayQueue.mostFailures) items in a row could not be played; remove them from its queue"
      told.append(.error(client: 0, address: "/player/\(id)", SessionError(.io, sentence)))
    }
    return told + endSession(&state, after: id)
  }

  /// Deactivates the session of a player whose queue has ended, if the player's `finish` says so and no other player plays there.
  private static func endSession(_ state: inout RouterState, after id: PlayerID) -> [Notification] {
    guard let player = state.players[id], player.finish == .deactivate,
      !state.players.contains(where: { (other: MediaPlayer) in
        other.session == player.session && other.isPlaying
      })
    else { return [] }
    return Activations.stop(&state, player.session, notifyingOthers: true, by: .system)
  }

  /// Changes a player that exists by a change that cannot fail.
  static func change(
    _ state: inout RouterState, _ id: PlayerID, _ body: (inout MediaPlayer) -> Void
  ) -> [Notification] {
    (try? state.changePlayer(id) { player throws(SessionError) in body(&player) }) ?? []
  }
}
