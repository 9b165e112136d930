import MixEngine
import SessionModel

/// Players and recorders: their reports, and looks at them.
extension Router {
  private var mediaOwner: MediaKeeper.Owner {
    MediaKeeper.Owner(
      time: now, state: { self.state }, happen: { self.happen($0) }, tell: { self.tell($0) })
  }

  /// Takes a report of a thread of the files.
  func take(_ report: MediaReport) {
    guard !isStopping else { return }
    media.take(report, for: mediaOwner)
    // A player that came to the end of its list may have to play again although the state is the same.
    updateMix()
  }

  /// Looks at players and recorders if that is due.
  func followMedia() {
    guard let connection, let due = media.due, due <= now else { return }
    let frame = connection.mix.engine.framesProcessed
    for event in media.look(at: now, frame: frame) { happen(event) }
    // Their patience may be over.
    if media.isHolding { updateMix() }
  }
}

/// Reads and writes the files of players and recorders.
struct SoundFileThreads: RouterPart {
  func start(_ router: isolated Router) { router.media.files.repair() }

  func stop(_ router: isolated Router) async {
    _ = router.media.close(at: router.now)
    router.media.files.stop()
  }
}
