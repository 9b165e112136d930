import CPlugins
import CRealtime
import EffectBlocks
import Synchronization
import Threads

/// The thread that runs the sound through all chains: it sleeps until the audio thread asks, or until a chain is exchanged.
///
/// One other thread, which loads, exchanges chains.
final class SoundThread: Sendable {
  private let exchange: EffectExchange
  /// The chains that places get next.
  private let next = Mutex<[Int: Handover]>([:])
  private let hasNext = Atomic<Bool>(false)
  private let done = Semaphore()
  private let rate: Double

  /// A chain on its way between the threads.
  private final class Handover: @unchecked Sendable {
    // Unchecked: each thread has it at another time.
    var chain: RunningChain?

    init(_ chain: RunningChain?) { self.chain = chain }
  }

  /// - Parameters:
  ///   - rate: frames per second.
  ///   - priority: in real time, 1 to 99; 0 for none.
  init(_ exchange: EffectExchange, rate: Double, priority: Int32) {
    (self.exchange, self.rate) = (exchange, rate)
    OwnThread("fx-sound") { [self] in
      if priority > 0 { OwnThread.enterRealtime(priority: priority) }
      mr_denormals_off()
      exchange.introduce(.sound, number: Int(mr_crash_thread()))
      run()
    }.detach()
  }

  /// Has a place use another chain, or none, from the next period on, and returns the one that it had. Waits for that.
  func exchange(_ chain: RunningChain?, at place: Int) -> RunningChain? {
    let handover = Handover(chain)
    next.withLock { $0[place] = handover }
    hasNext.store(true, ordering: .releasing)
    exchange.ring()
    done.wait()
    return handover.chain
  }

  private func run() {
    var chains = [RunningChain?](repeating: nil, count: EffectLimits.chains)
    // The audio thread may be mixing a block that an earlier program made of this period, so this program makes none of it.
    var period = exchange.asked()
    exchange.finish(period: period)
    while true {
      let rings = exchange.rings()
      if hasNext.exchange(false, ordering: .acquiring) { takeNext(&chains) }
      while let change = exchange.pop() { chains[change.place.chain]?.change(change) }
      let asked = exchange.asked()
      let isNew = asked != period
      if isNew {
        period = asked
        for place in chains.indices { chains[place]?.run(period: period) }
        exchange.finish(period: period)
      }
      exchange.countRound()
      if exchange.rings() != rings { continue }
      if isNew { exchange.sleepUntilPeriod(after: rings, rate: rate) } else { exchange.sleep(after: rings) }
    }
  }

  /// The other thread has just left the lock when this is called, and waits.
  private func takeNext(_ chains: inout [RunningChain?]) {
    next.withLock { next in
      for (place, handover) in next {
        swap(&chains[place], &handover.chain)
        chains[place]?.begin()
      }
      next.removeAll(keepingCapacity: true)
    }
    done.signal()
  }
}
