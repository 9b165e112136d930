import EffectBlocks
import Effects
import Threads

/// What the host remembers to see whether the program goes on.
struct EffectsWatch {
  /// Rounds of the program.
  private(set) var rounds = -1
  /// Seconds in which the program has had a period to do, has not gone on, and did not wait for a processor.
  private(set) var waited = 0.0
  /// When the host last looked, and what the sound thread did then.
  private var (looked, activity) = (0.0, ThreadActivity?.none)
  /// When the present second began, and the newest period then.
  var (second, secondAsked) = (0.0, 0)

  /// Seconds in which the program must begin a period: less if somebody has stopped it.
  static let (stopPatience, patience) = (0.5, 2.0)
  /// Seconds in which the program must load a chain.
  static let loadPatience = 20.0

  /// Notes that the program has gone on, or has nothing to do.
  mutating func goOn(_ rounds: Int, at time: Double) {
    (self.rounds, waited, looked, activity) = (rounds, 0, time, nil)
  }

  /// Notes that the program has not gone on. Time in which other programs have all processors is not the program's.
  ///
  /// - Parameter present: what the sound thread does; nil if the system does not tell it.
  mutating func wait(_ present: ThreadActivity?, at time: Double) {
    let isStarved = present?.isRunnable == true && present?.ticks == activity?.ticks
    if !isStarved { waited += time - looked }
    (looked, activity) = (time, present)
  }
}

extension EffectsWork {
  /// Looks whether the program and its effects are well.
  mutating func checkUp() {
    let now = MonotonicTime.now
    if child?.isReady == true, isHung(now) { return giveUp(.sound, "two seconds") }
    if child?.isReady == false, now - began > EffectsWatch.loadPatience {
      return giveUp(.loader, "20 seconds")
    }
    for slot in slots.values {
      if case .loading(_, let since) = slot.phase, now - since > EffectsWatch.loadPatience {
        return giveUp(exchange.place(of: .loader) != nil ? .loader : .sound, "20 seconds")
      }
    }
    for place in slots.keys.sorted() { checkFaults(place) }
    if now - watch.second >= 1 { checkTimes(now) }
  }

  private mutating func isHung(_ now: Double) -> Bool {
    let rounds = exchange.rounds()
    // A freewheeling audio thread waits for the block, and asks for no further one.
    guard rounds == watch.rounds, exchange.done() != exchange.asked() else {
      watch.goOn(rounds, at: now)
      return false
    }
    watch.wait(child?.activity(of: exchange.number(of: .sound)), at: now)
    return watch.waited > EffectsWatch.patience
      || watch.waited > EffectsWatch.stopPatience && child?.isStopped == true
  }

  private mutating func checkFaults(_ place: Int) {
    guard let slot = slots[place], case .running = slot.phase else { return }
    let blocks = exchange.chain(place)
    for (effect, number) in slot.numbers.enumerated() {
      let plugin = slot.wanted.effects[number].plugin
      switch blocks.fault(effect: effect) {
      case .notFinite?:
        blame(
          EffectPlace(chain: place, effect: number), .notFinite,
          "\(plugin) makes samples that are no finite numbers")
      case .tooLate?:
        blame(
          EffectPlace(chain: place, effect: number), .tooLate,
          "\(plugin) delays the sound by more than \(EffectLimits.latency) frames")
      case nil: break
      }
    }
    let latency = blocks.latency()
    if latency != slot.latency {
      slots[place]?.latency = latency
      report(.latency(chain: place, frames: latency))
    }
  }

  /// Finds chains that were late again and again in the last second, and the effect because of which they were.
  private mutating func checkTimes(_ now: Double) {
    let periods = exchange.asked() &- watch.secondAsked
    let period = periods > 0 ? (now - watch.second) * 1e9 / Double(periods) : .infinity
    defer { (watch.second, watch.secondAsked) = (now, exchange.asked()) }
    var late: [Int] = []
    var slowest: (mean: Double, place: EffectPlace)?
    for (place, slot) in slots {
      guard case .running = slot.phase else { continue }
      let blocks = exchange.chain(place)
      for effect in slot.numbers.indices {
        let mean = slots[place]?.mean(effect, blocks.times(effect: effect)) ?? 0
        if mean > slowest?.mean ?? 0 { slowest = (mean, EffectPlace(chain: place, effect: effect)) }
      }
      let count = blocks.late()
      if count &- slot.late >= max(4, periods / 50) { late.append(place) }
      slots[place]?.late = count
    }
    // The first second has no beginning.
    guard !late.isEmpty, watch.second > 0 else { return }
    // The mean, because on a busy machine any plugin may be held up once.
    if let slowest, slowest.mean > period / 2, let culprit = wantedPlace(slowest.place) {
      blame(
        culprit.place, .slow,
        "\(culprit.plugin) is late again and again: it takes \(Int(slowest.mean / 1_000)) us of a period of \(Int(period / 1_000)) us"
      )
    } else {
      report(.late(chains: late.sorted()))
    }
  }
}
