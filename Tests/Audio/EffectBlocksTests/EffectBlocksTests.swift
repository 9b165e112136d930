import CRealtime
import Glibc
import Synchronization
import SystemCalls
import Testing
import Threads

@testable import EffectBlocks

@Suite("The memory between the audio thread and the effects program")
struct EffectBlocksTests {
  @Test(
    "No two parts of the memory overlap, and the other side's mapping is the same memory",
    arguments: [16, 64, 100, 1_024])
  func layout(frames: Int) throws {
    let store = try EffectMemoryStore(frames: frames)
    let other = try EffectMemoryStore(descriptor: dup(store.descriptor), frames: frames)
    defer { withExtendedLifetime((store, other)) {} }
    var value: Float = 1
    func all(_ body: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) -> Void) {
      for chain in [0, 1, 62, 63] {
        let (ours, theirs) = (store.exchange.chain(chain), other.exchange.chain(chain))
        for channel in 0..<EffectLimits.channels {
          body(ours.input(channel: channel), theirs.input(channel: channel))
          let last = EffectLimits.circle + ours.longest - 1
          body(ours.input(channel: channel) + last, theirs.input(channel: channel) + last)
        }
        for period in 0..<2 {
          for channel in 0..<EffectLimits.sideChannels {
            body(ours.side(channel: channel, period: period), theirs.side(channel: channel, period: period))
          }
          for channel in 0..<EffectLimits.channels {
            body(
              ours.output(channel: channel, period: period), theirs.output(channel: channel, period: period))
          }
        }
        for meter in [0, EffectLimits.meters - 1] { body(ours.meter(meter), theirs.meter(meter)) }
      }
    }
    all { ours, _ in
      ours[0] = value
      value += 1
    }
    value = 1
    all { _, theirs in
      #expect(theirs[0] == value)
      value += 1
    }
    #expect(throws: (any Error).self) {
      try EffectMemoryStore(descriptor: dup(store.descriptor), frames: frames + 16)
    }
  }

  @Test(
    "A block is taken if it is of the period, the length and the load that are wanted; any other counts as late"
  )
  func take() throws {
    let store = try EffectMemoryStore(frames: 64)
    defer { withExtendedLifetime(store) {} }
    let (exchange, blocks) = (store.exchange, store.exchange.chain(5))
    mr_rt_enter()
    blocks.give(period: 7, begin: EffectLimits.circle - 8, frames: 48)
    exchange.ask(period: 7, frames: 48)
    let early = blocks.take(period: 7, frames: 48, revision: 2)
    mr_rt_exit()
    #expect(!early && blocks.late() == 1 && exchange.asked() == 7)
    #expect(try #require(blocks.given(period: 7)) == (EffectLimits.circle - 8, 48))
    #expect(blocks.given(period: 9) == nil && blocks.given(period: 8) == nil)
    blocks.give(period: 8, begin: -5 * EffectLimits.circle - 1, frames: 48)
    #expect(try #require(blocks.given(period: 8)).begin == EffectLimits.circle - 1)
    blocks.finish(period: 7, frames: 48, latency: 99_999, revision: 2)
    #expect(blocks.take(period: 7, frames: 48, revision: 2))
    // What a wild plugin writes leads nowhere.
    #expect(blocks.latency(period: 7) == EffectLimits.latency && blocks.latency() == EffectLimits.latency)
    #expect(!blocks.take(period: 7, frames: 64, revision: 2))
    #expect(!blocks.take(period: 7, frames: 48, revision: 3))
    #expect(!blocks.take(period: 5, frames: 48, revision: 2))
    #expect(blocks.late() == 4)
    blocks.note(effect: 3, fault: .notFinite)
    blocks.note(effect: 3, nanoseconds: 40)
    blocks.note(effect: 3, nanoseconds: 20)
    #expect(blocks.fault(effect: 3) == .notFinite && blocks.fault(effect: 2) == nil)
    #expect(blocks.times(effect: 3) == (60, 2))
    blocks.begin(latency: 5)
    #expect(blocks.times(effect: 3) == (0, 0))
    #expect(
      blocks.fault(effect: 3) == nil && blocks.latency() == 5
        && !blocks.take(period: 7, frames: 48, revision: 2))
    blocks.meter(3).pointee = .nan
    #expect(blocks.shown(3) == nil && blocks.shown(4) == 0)
  }

  @Test("What a thread runs is known to the other side, and so is which thread crashed")
  func places() throws {
    let store = try EffectMemoryStore(frames: 64)
    defer { withExtendedLifetime(store) {} }
    let exchange = store.exchange
    for chain in [0, 63] {
      for effect in [0, 7] {
        let place = EffectPlace(chain: chain, effect: effect)
        exchange.begin(place, on: .worker)
        #expect(exchange.place(of: .worker) == place && exchange.place(of: .sound) == nil)
      }
    }
    #expect(EffectPlace(word: 0) == nil && EffectPlace(word: 513) == nil && EffectPlace(word: -4) == nil)
    exchange.introduce(.sound, number: 41)
    exchange.introduce(.worker, number: 42)
    #expect(!exchange.hasCrashed() && exchange.crashedThread() == nil)
    exchange.crashed().pointee = 42
    #expect(exchange.hasCrashed() && exchange.crashedThread() == .worker)
    exchange.crashed().pointee = 43
    #expect(exchange.hasCrashed() && exchange.crashedThread() == nil)
    exchange.renew()
    #expect(!exchange.hasCrashed() && exchange.place(of: .worker) == nil)
  }

  @Test("The control queue keeps its order between two threads, and refuses what it has no room for")
  func queue() throws {
    let store = try EffectMemoryStore(frames: 64)
    defer { withExtendedLifetime(store) {} }
    let exchange = store.exchange
    @Sendable func change(_ number: Int) -> EffectChange {
      EffectChange(
        EffectPlace(chain: number % 64, effect: number % 8), revision: number,
        port: number % 3 == 0 ? nil : number, value: Float(number), frames: 2 * number)
    }
    var count = 0
    while exchange.push(change(count)) { count += 1 }
    #expect(count == 4_096)
    exchange.renew()
    #expect(exchange.pop() == nil)
    let thread = OwnThread("queue") {
      var next = 0
      while next < 100_000 { if store.exchange.push(change(next)) { next += 1 } }
    }
    var (next, wrong) = (0, 0)
    while next < 100_000 {
      guard let got = exchange.pop() else { continue }
      let wanted = change(next)
      if got.place != wanted.place || got.revision != next || got.port != wanted.port
        || got.value != wanted.value
        || got.frames != wanted.frames
      {
        wrong += 1
      }
      next += 1
    }
    thread.join()
    #expect(wrong == 0)
  }

  @Test("A ring wakes the thread that sleeps, and none is lost between the look and the sleep")
  func bell() throws {
    let store = try EffectMemoryStore(frames: 64)
    defer { withExtendedLifetime(store) {} }
    let exchange = store.exchange
    let thread = OwnThread("bell") {
      for period in 1...2_000 {
        mr_rt_enter()
        store.exchange.ask(period: period, frames: 64)
        mr_rt_exit()
        while store.exchange.rounds() < period {}
      }
    }
    let begin = ContinuousClock.now
    var period = 0
    while period < 2_000 {
      let rings = exchange.rings()
      if exchange.asked() != period {
        period = exchange.asked()
        exchange.countRound()
      } else {
        exchange.sleep(after: rings)
      }
    }
    thread.join()
    // A lost ring would cost a second.
    #expect(ContinuousClock.now - begin < .seconds(20))
  }

  @Test(
    "A program that sleeps until its time is not woken by a period, but by who waits for it, and by a change")
  func time() throws {
    let store = try EffectMemoryStore(frames: 64)
    defer { withExtendedLifetime(store) {} }
    let exchange = store.exchange
    for wake in 0..<2 {
      // A period of an hour.
      exchange.ask(period: wake, frames: 3_600 * 48_000)
      let number = Atomic<Int>(0)
      let thread = OwnThread("sleeper") {
        number.store(OwnThread.number ?? -1, ordering: .relaxed)
        store.exchange.sleepUntilPeriod(after: store.exchange.rings(), rate: 48_000)
        store.exchange.countRound()
      }
      /// Whether the system lets the thread sleep, and not only the thread means to.
      func sleeps() -> Bool {
        guard exchange.bell.pointee.sleeps.load(ordering: .relaxed) == EffectSleep.untilTime.rawValue else {
          return false
        }
        let path = "/proc/self/task/\(number.load(ordering: .relaxed))/stat"
        return WholeFile.lines(path).first?.contains(") S ") == true
      }
      while !sleeps() {}
      exchange.ask(period: wake, frames: 64)
      #expect(sleeps() && exchange.rounds() == wake)
      if wake == 0 {
        while exchange.rounds() == 0 {
          exchange.wait(for: exchange.chain(0), period: 9, frames: 64, revision: 1, naps: 1)
        }
      } else {
        while exchange.rounds() == 1 { exchange.ring() }
      }
      thread.join()
    }
    // A time that has passed is no sleep.
    exchange.ask(period: 3, frames: 0)
    exchange.sleepUntilPeriod(after: exchange.rings(), rate: 48_000)
  }

  @Test("Nothing waits for a program that has ended")
  func abandoned() throws {
    let store = try EffectMemoryStore(frames: 64)
    defer { withExtendedLifetime(store) {} }
    let exchange = store.exchange
    exchange.abandon()
    let begin = ContinuousClock.now
    exchange.wait(for: exchange.chain(0), period: 1, frames: 64, revision: 1)
    #expect(ContinuousClock.now - begin < .seconds(1))
  }
}
