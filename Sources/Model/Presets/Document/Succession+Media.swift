import Parameters
import SessionModel

extension Succession {
  func reduced(_ player: PlayerEntry, _ id: PlayerID) -> PlayerEntry {
    guard let before = old.players[id] else { return player }
    var entry = player
    entry.leaves = leaves(player.leaves, after: before.leaves, of: .player, at: Target(player: id))
    if player.contents == nil, let contents = before.contents {
      entry.contents = Placed(value: [], place: contents.place)
    }
    guard manner == .reload else { return entry }
    if player.contents?.value == before.contents?.value { entry.contents = nil }
    if player.isPlaying?.value == before.isPlaying?.value { entry.isPlaying = nil }
    if player.index?.value == before.index?.value { entry.index = nil }
    if player.position?.value == before.position?.value { entry.position = nil }
    return entry
  }

  func reduced(_ recorder: RecorderEntry, _ id: RecorderID) -> RecorderEntry {
    guard let before = old.recorders[id] else { return recorder }
    var entry = recorder
    entry.leaves = leaves(recorder.leaves, after: before.leaves, of: .recorder, at: Target(recorder: id))
    if manner == .reload, recorder.isRecording?.value == before.isRecording?.value { entry.isRecording = nil }
    return entry
  }

  /// Steps that remove the players and recorders that only the predecessor names.
  func mediaRemovals(from state: RouterState) -> [Step] {
    let players = state.players.keys.compactMap { id -> Step? in
      guard !new.players.contains(id), let place = old.players[id]?.place ?? removalOfOthers else {
        return nil
      }
      return Step(.player(id, .remove), about: Target(player: id), at: place)
    }
    let recorders = state.recorders.keys.compactMap { id -> Step? in
      guard !new.recorders.contains(id), let place = old.recorders[id]?.place ?? removalOfOthers else {
        return nil
      }
      return Step(.recorder(id, .remove), about: Target(recorder: id), at: place)
    }
    return recorders + players
  }
}
