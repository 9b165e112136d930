import EffectsHost
import SessionModel

/// Effects: acts on what their program reports, and tells the law.
extension Router {
  /// The keeper of a connection's effects. Reports of an earlier connection's program are dropped.
  nonisolated func makeEffects(rate: Int) -> EffectsKeeper {
    let reference = KeeperReference()
    let keeper = EffectsKeeper(
      EffectsKeeper.Settings(rate: rate, priority: EffectsKeeper.priority)
    ) { [weak self] report in
      guard let router = self else { return }
      _ = router.executor.post(limit: .max) {
        router.assumeIsolated { $0.take(report, of: reference) }
      }
    }
    reference.keeper = keeper
    return keeper
  }

  private func take(_ report: EffectReport, of reference: KeeperReference) {
    guard !isStopping, let connection, connection.effects === reference.keeper else { return }
    if let (address, sentence) = connection.effects.take(report) {
      tell(.error(client: 0, address: address, SessionError(.io, sentence)))
    }
    updateMix()
    followEffects()
    handOver()
  }

  /// Tells the law what has changed.
  func followEffects() {
    guard let connection, connection.effects.takeNews() else { return }
    for (place, report) in connection.effects.reports(state) where state.insert(at: place)?.report != report {
      happen(.effectsReported(place, report))
    }
  }
}

/// A reference to the keeper for its own reports, which are taken on the policy thread.
private final class KeeperReference: @unchecked Sendable {
  /// Set once, before the first report; read on the policy thread.
  weak var keeper: EffectsKeeper?
}
