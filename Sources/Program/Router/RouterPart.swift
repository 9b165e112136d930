import KeptState
import Threads

/// A part of the router that starts once and stops once.
///
/// A new part is one more type and one more line in `Router.parts`.
protocol RouterPart: Sendable {
  func start(_ router: isolated Router)
  func stop(_ router: isolated Router) async
}

extension RouterPart {
  // Most parts begin to work when the first command or preset needs them.
  func start(_ router: isolated Router) {}
}

extension Router {
  /// All parts, in the order of their start. They stop in the reverse order.
  static let parts: [any RouterPart] = [
    Keeping(), BridgePrograms(), SoundFileThreads(), DiskRoom(), ServerSearch(), EarlyLevels(), Schedule(),
  ]

  /// Starts all parts; the router then looks for the audio server until there is one. Returns at once. Call it once.
  public func start() {
    for part in Self.parts { part.start(self) }
  }

  /// Stops all parts: fades everything out and leaves the audio server. Takes less than a second, whatever the server does. A second
  /// call does nothing.
  public func stop() async {
    guard !isStopping else { return }
    departure = .stopping
    for part in Self.parts.reversed() { await part.stop(self) }
  }
}

/// Keeps the state against a crash. A run that ends in order leaves nothing to restore.
private struct Keeping: RouterPart {
  func stop(_ router: isolated Router) async {
    // A run that never had a preset in force leaves what an earlier run kept.
    if router.presets.inForce != nil, !router.settings.isKeptForNextRun { router.keeper?.forget() }
    guard let file = router.settings.deviceFile else { return }
    let devices = router.between.devices
    // A disk that hangs delays no stop.
    _ = OwnThread.run("mr-devices", within: 0.2) {
      if file.read() != devices { try? file.write(devices) }
    }
  }
}

/// Runs the programs of bridges.
private struct BridgePrograms: RouterPart {
  func stop(_ router: isolated Router) async { router.bridging.stop() }
}

/// Watches the room on the disk of the recordings.
private struct DiskRoom: RouterPart {
  func start(_ router: isolated Router) { router.listening.health.start() }
  func stop(_ router: isolated Router) async { router.listening.health.stop() }
}

/// Looks for the audio server, joins it and leaves it.
private struct ServerSearch: RouterPart {
  func start(_ router: isolated Router) { router.seekServer() }

  func stop(_ router: isolated Router) async {
    let answers = await router.fadeOut()
    await router.leaveServer(thatAnswers: answers)
    router.phase = .seeking
  }
}

/// Lets listeners send levels to the audio thread ahead of the decision.
private struct EarlyLevels: RouterPart {
  func stop(_ router: isolated Router) async { router.publishing.use(nil) }
}

/// Does what is due.
private struct Schedule: RouterPart {
  func start(_ router: isolated Router) { router.followTime() }
  func stop(_ router: isolated Router) async { router.executor.follow(nil) }
}
