import Queues
import SessionModel

extension LawCheck {
  /// Players and recorders do what their sessions let them do, and sessions know how many of them run.
  static func media(_ state: RouterState) -> [String] { players(state) + recorders(state) }

  private static func players(_ state: RouterState) -> [String] {
    var found: [String] = []
    for player in state.players.values {
      guard let session = state.sessions[player.session], session.streams.contains(player.stream) else {
        found.append("\(player.id) has no stream")
        continue
      }
      let waits = session.displacement != nil || session.mayReturn || session.returnsAfterReset
      switch player.transport {
      case .playing where !session.isActive:
        found.append("\(player.id) plays in \(session.id), which is not active")
      case .playing where session.category == .record: found.append("\(player.id) plays in a record session")
      case .interrupted where session.isActive || !waits:
        found.append("\(player.id) is interrupted by nothing")
      case .playing, .interrupted:
        if player.queue.value.isEmpty { found.append("\(player.id) plays nothing") }
      case .stopped, .paused: if player.startTime != nil { found.append("\(player.id) will start by itself") }
      }
    }
    for session in state.sessions.values {
      let running = state.players.values.filter { $0.session == session.id && $0.isRunning }.count
      if session.runningPlayers != running {
        found.append("\(session.id) counts \(session.runningPlayers) players, not \(running)")
      }
    }
    let reached = state.nowPlayingPlayers
    if Set(reached).count != reached.count || !reached.allSatisfy(state.players.contains) {
      found.append("the now-playing players are \(reached)")
    }
    return found
  }

  private static func recorders(_ state: RouterState) -> [String] {
    var found: [String] = []
    for recorder in state.recorders.values where recorder.isRecording {
      if !state.server.isRunning { found.append("\(recorder.id) records without a server") }
      guard case .input(let input) = recorder.source else { continue }
      guard let session = recorder.session.flatMap({ state.sessions[$0] }), session.isActive,
        session.permission == .granted, session.category.hasInput, session.route.inputs.contains(input)
      else {
        found.append("\(recorder.id) records without permission")
        continue
      }
    }
    for session in state.sessions.values {
      let running = state.recorders.values.filter { $0.session == session.id && $0.isRunning }.count
      if session.runningRecorders != running {
        found.append("\(session.id) counts \(session.runningRecorders) recorders, not \(running)")
      }
    }
    return found
  }
}
