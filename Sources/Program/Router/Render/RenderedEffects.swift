import EffectsHost
import SessionModel
import Synchronization
import Threads

/// The effects of a rendered show. The audio waits for their program.
final class RenderedEffects {
  let keeper: EffectsKeeper
  private let arrived: Arrivals
  private var sentences: [String] = []
  /// Why the effects program ended, as a sentence; nil if it did not. Until it runs again, sound passes by.
  private(set) var end: String?

  private final class Arrivals: Sendable {
    let reports = Mutex<[EffectReport]>([])
    let bell = Semaphore()
  }

  init(rate: Int) {
    let arrived = Arrivals()
    self.arrived = arrived
    keeper = EffectsKeeper(EffectsKeeper.Settings(rate: rate)) { report in
      arrived.reports.withLock { $0.append(report) }
      arrived.bell.signal()
    }
  }

  /// What the effects program says, and why there is none, as sentences.
  var problems: [String] { sentences + (keeper.failure.map { ["no effects: \($0)"] } ?? []) }

  /// Carries out a state, and waits until its plugins are loaded. The host gives up one that takes longer than 10 s.
  func follow(_ state: RouterState, period: Int, frame: UInt64) {
    take()
    keeper.follow(state, period: period, fading: nil)
    while keeper.isLoading {
      arrived.bell.wait()
      take()
    }
    if frame == 0 { keeper.open() } else { _ = keeper.advance(at: frame) }
  }

  private func take() {
    for report in arrived.reports.withLock({ reports in
      defer { reports = [] }
      return reports
    }) {
      if let (address, sentence) = keeper.take(report) { sentences.append("\(address): \(sentence)") }
      if case .ended(let why, let again) = report {
        end = why
        if again >= 1 { keeper.giveUp(why) }
      }
    }
  }
}
