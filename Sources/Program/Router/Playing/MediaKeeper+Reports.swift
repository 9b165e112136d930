import MediaKernel
import Players
import Queues
import Recorders
import SessionModel
import SoundFiles

extension MediaKeeper {
  /// What decides on reports: the router, or a renderer.
  struct Owner {
    let time: Double
    let state: () -> RouterState
    /// Decides on an event; the owner then calls `follow` with the new state.
    let happen: (Event) -> Void
    let tell: (Notification) -> Void
  }

  /// Takes a report: the law decides what follows.
  func take(_ report: MediaReport, for owner: Owner) {
    switch report.content {
    case .player(let id, let event):
      guard let kept = player(id), kept.number == report.number else { return }
      take(event, of: kept, id, for: owner)
    case .recorder(let id, let event):
      guard let kept = recorder(id), kept.number == report.number else { return }
      take(event, of: kept, id, for: owner)
    }
  }

  private func tell(_ sentence: String, to owner: Owner) {
    owner.tell(.error(client: 0, address: "", SessionError(.io, sentence)))
  }

  // MARK: Players

  private func take(_ event: PlayerEvent, of kept: KeptPlayer, _ id: PlayerID, for owner: Owner) {
    kept.look = owner.time
    switch event {
    case .prepared, .known, .looped, .mark, .underrun: break
    case .loudness(let item, let loudness):
      if let pass = kept.list.pass(of: item.id) { kept.note(loudness, of: pass) }
    case .item(let item):
      if let pass = kept.list.pass(of: item.id) { advance(id, kept, to: pass, for: owner) }
    case .finished, .gaveUp:
      if kept.noteEnd() { end(id, kept, for: owner) }
    case .failed(let item, let error):
      guard let pass = kept.list.pass(of: item.id) else { return }
      kept.list.note(SessionError(.io, Self.reason(error)), of: item, in: pass)
      kept.followItems()
      if pass == kept.wanted.passes { skip(id, kept, for: owner) }
    case .damaged(_, let error): tell("player \(id): \(error)", to: owner)
    case .timeout: tell("player \(id): the disk gave no sound for 5 s, and silence was played", to: owner)
    }
  }

  /// Reports the items that were heard so far, without waiting for the threads of the files.
  func takeHeard(for owner: Owner) {
    for (id, kept) in keptPlayers {
      kept.wasHeard = kept.player.store.isSounding
      guard kept.wasHeard, let item = kept.player.item, let pass = kept.list.pass(of: item.id) else {
        continue
      }
      advance(id, kept, to: pass, for: owner)
    }
  }

  /// Whether a player has come to its end and has not reported that yet.
  var isEnding: Bool {
    keptPlayers.values.contains { kept in
      kept.wasHeard && kept.wanted.isPlaying && !kept.player.store.isSounding && kept.player.isPlaying
    }
  }

  private func report(_ report: PlayerReport, of id: PlayerID, _ kept: KeptPlayer, to owner: Owner) {
    kept.isReporting = true
    defer { kept.isReporting = false }
    owner.happen(.player(id, .report(report)))
  }

  /// Reports that the item of a pass is heard, and the passes before it as ended.
  private func advance(_ id: PlayerID, _ kept: KeptPlayer, to pass: Int, for owner: Owner) {
    (kept.heard, kept.isAdvancing) = (pass, true)
    defer { kept.isAdvancing = false }
    while let player = owner.state().players[id], player.passes < pass {
      let report: PlayerReport =
        kept.list.error(of: player.passes).map { .failed(pass: player.passes, $0) }
        ?? .advanced(pass: player.passes, intoBroken: kept.list.error(of: player.passes + 1) != nil)
      self.report(report, of: id, kept, to: owner)
      guard owner.state().players[id]?.passes != player.passes else { return }
    }
  }

  /// Reports the present item as one that cannot be played, and those behind it that cannot either.
  private func skip(_ id: PlayerID, _ kept: KeptPlayer, for owner: Owner) {
    while let player = owner.state().players[id], let error = kept.list.error(of: player.passes) {
      report(.failed(pass: player.passes, error), of: id, kept, to: owner)
      guard owner.state().players[id]?.passes != player.passes else { return }
    }
  }

  /// Reports the end of the list. If the queue goes on, the player plays what follows; that costs a gap, but comes only where every item that
  /// was given ahead is broken, or shorter than a report takes.
  private func end(_ id: PlayerID, _ kept: KeptPlayer, for owner: Owner) {
    guard let player = owner.state().players[id], player.isPlaying, kept.heard == player.passes else {
      return
    }
    guard player.queue.value.upNext != nil else {
      kept.rest()
      return report(.finished(pass: player.passes), of: id, kept, to: owner)
    }
    let isBroken = kept.list.error(of: player.passes + 1) != nil
    report(.advanced(pass: player.passes, intoBroken: isBroken), of: id, kept, to: owner)
    skip(id, kept, for: owner)
  }

  /// The reason alone, because the law names player and file; for a file to convert also how.
  private static func reason(_ error: MediaError) -> String {
    if case .foreign = error { error.description } else { error.reason }
  }

  // MARK: Recorders

  private func take(_ event: RecorderEvent, of kept: KeptRecorder, _ id: RecorderID, for owner: Owner) {
    func report(_ report: RecorderReport) { owner.happen(.recorder(id, .report(report))) }
    kept.look = owner.time
    switch event {
    case .started(let path, _):
      kept.noteStart()
      report(.facts(kept.facts(of: path, seconds: kept.recorder.time, at: owner.time, isOpen: true)))
      if kept.wanted.startTime != nil { report(.started) }
    case .resumed:
      kept.noteStart()
      if kept.wanted.startTime != nil { report(.started) }
    case .finished(let path, let seconds, let end):
      report(.facts(kept.facts(of: path, seconds: seconds, at: owner.time, isOpen: false)))
      switch end {
      case .stopped: break
      case .limit: report(.limit)
      case .failed(let error): report(.failed(SessionError(.io, "recorder \(id): \(error)")))
      }
    case .failed(let error): report(.failed(SessionError(.io, "recorder \(id): \(error)")))
    case .prepared, .paused, .lost: break
    }
  }
}
