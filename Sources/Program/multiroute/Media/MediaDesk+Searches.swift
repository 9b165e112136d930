import ControlInterface
import Queues
import Router
import SessionModel

/// Presets name the files of players, and the law does not read disks: the desk looks for the files and tells the law.
extension MediaDesk: ControlListener {
  func publish(_ change: Change) {
    for id in change.after.players.keys(changedSince: change.before.players) {
      guard let player = change.after.players[id], player.search != nil, let words = player.contents else {
        continue
      }
      let old = change.before.players[id]
      guard old?.search == nil || old?.contents != words else { continue }
      search(for: words, of: id)
    }
  }

  /// Looks for the files that a player's words mean, and gives them to the player.
  func find(_ words: [String], of player: PlayerID, _ service: RouterService) {
    let additions = words.map { items(for: $0) }
    give(additions.flatMap(\.items), for: words, to: player, service)
    for problem in additions.flatMap(\.problems) { complain(problem, about: player, service) }
  }

  /// Gives up a search that cannot begin.
  func abandon(_ words: [String], of player: PlayerID, because error: SessionError, _ service: RouterService)
  {
    give([], for: words, to: player, service)
    complain(error.sentence, about: player, service)
  }

  private func give(
    _ items: [QueueItem], for words: [String], to player: PlayerID, _ service: RouterService
  ) {
    service.post { await $0.happen(.player(player, .queue(.found(items, for: words)))) }
  }

  private func complain(_ problem: String, about player: PlayerID, _ service: RouterService) {
    let error = SessionError(.io, problem)
    service.post { await $0.tell(.error(client: 0, address: "/player/\(player)/file", error)) }
  }
}
