import Numbers
import SessionModel

extension Comparison {
  /// What players and recorders that stay will do otherwise, and other queues.
  var transports: [Difference] { players + recorders }

  private var players: [Difference] {
    after.players.keys(changedSince: before.players).flatMap { id -> [Difference] in
      guard let player = after.players[id] else { return [] }
      let old = before.players[id]
      let path = "/player/\(player.id)"
      var found: [Difference] = []
      if Self.words(old) != Self.words(player) {
        found.append(
          Difference(address: "\(path)/file", now: Self.words(old), then: Self.words(player), effect: ""))
      }
      if let old, old.jump != player.jump {
        let (now, then) = (Self.seconds(old.position(at: time)), Self.seconds(player.position(at: time)))
        if now != then {
          found.append(Difference(address: "\(path)/position", now: now, then: then, effect: ""))
        }
      }
      if old?.isPlaying ?? false != player.isPlaying {
        found.append(
          Difference(
            address: "\(path)/playing", now: old?.isPlaying == true ? "1" : "0",
            then: player.isPlaying ? "1" : "0", effect: player.isPlaying ? "begins to play" : "stops"))
      }
      return found
    }
  }

  private var recorders: [Difference] {
    after.recorders.keys(changedSince: before.recorders).compactMap { id in
      guard let recorder = after.recorders[id] else { return nil }
      let old = before.recorders[id]
      var (wasOn, isOn) = (old?.isWanted ?? false, recorder.isWanted)
      // One that waits is wanted already, and begins when its device comes.
      if wasOn == isOn { (wasOn, isOn) = (old?.isRecording ?? false, recorder.isRecording) }
      guard wasOn != isOn else { return nil }
      return Difference(
        address: "/recorder/\(id)/recording", now: wasOn ? "1" : "0", then: isOn ? "1" : "0",
        effect: isOn ? "begins to record" : "ends its file")
    }
  }

  /// Where a queue comes from.
  private static func words(_ player: MediaPlayer?) -> String {
    guard let player else { return absent }
    guard let words = player.contents else { return "an edited queue" }
    return words.isEmpty ? absent : words.joined(separator: ", ")
  }

  private static func seconds(_ seconds: Double) -> String { seconds.text(.upTo(3)) }
}
