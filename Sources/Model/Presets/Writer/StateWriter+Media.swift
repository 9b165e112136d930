import JSON5
import Parameters
import Queues
import SessionModel

extension StateWriter {
  /// The members of players and recorders; none without any.
  mutating func media() -> [JSONValue.Member] {
    guard contains(.player) else { return [] }
    var members: [JSONValue.Member] = []
    let (players, recorders) = (players(), recorders())
    if !players.isEmpty { members.append(.init("players", .object(players))) }
    if !recorders.isEmpty { members.append(.init("recorders", .object(recorders))) }
    return members
  }

  private mutating func players() -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    for player in state.players.values where contains(streamsOf: state.sessions[player.session]) {
      members.append(.init(player.id.name, .object(entry(player))))
    }
    return members
  }

  private mutating func entry(_ player: MediaPlayer) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("session", .string(player.session.name)), .init("stream", .string(player.stream.name)),
    ]
    // An edited queue is written item by item.
    let words = player.contents ?? player.queue.value.items.map(\.name)
    if !words.isEmpty { members.append(.init("queue", .array(words.map { .string($0) }))) }
    members.append(.init("playing", .bool(player.isPlaying)))
    if let index = player.queue.value.index, index > 0, keepsPlace(player) {
      members.append(.init("index", .number(Double(index))))
    }
    let position = player.position(at: time)
    if position > 0, keepsPlace(player) { members.append(.init("position", .number(position))) }
    return members + leaves(of: .player, at: Target(player: player.id))
  }

  /// Whether the place of a player belongs into the document. A preset is for any evening, so there a player that plays has no place.
  private func keepsPlace(_ player: MediaPlayer) -> Bool { scope == nil || !player.isPlaying }

  private mutating func recorders() -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    for recorder in state.recorders.values {
      if case .stream(let session, _) = recorder.source, !contains(streamsOf: state.sessions[session]) {
        continue
      }
      let head: [JSONValue.Member] = [
        .init("source", .string(recorder.source.text)), .init("recording", .bool(recorder.isWanted)),
      ]
      let leaves = leaves(of: .recorder, at: Target(recorder: recorder.id))
      members.append(.init(recorder.id.name, .object(head + leaves)))
    }
    return members
  }
}
