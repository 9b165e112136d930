import EffectBlocks
public import Effects
import Synchronization
import SystemCalls
import Threads

/// Runs chains of effects on silence, noise and NaN, before anybody hears them.
///
/// For one thread, which waits meanwhile.
public final class EffectTrial {
  /// A sound that a chain gets.
  public enum Sound: String, CaseIterable, Sendable {
    case silence
    case noise
    case notANumber = "NaN"
  }

  /// What a chain did.
  public struct Result: Equatable, Sendable {
    /// Seconds that the effects take for a period of noise, on average; nil if none of them runs.
    public var time: Double?
    /// Frames by which the plugins delay the sound.
    public var latency = 0
    public var faults: [Fault] = []
    /// What was asked for and is not so, a sentence each without its point.
    public var notes: [String] = []

    public init() {}
  }

  /// What is wrong with an effect.
  public struct Fault: Equatable, Sendable {
    /// Its number in the chain, from 0.
    public var effect: Int
    public var trouble: EffectTrouble
    /// The sound that it got; nil if it was just loaded.
    public var sound: Sound?
    /// A sentence without its point.
    public var why: String

    public init(effect: Int, trouble: EffectTrouble, sound: Sound?, why: String) {
      (self.effect, self.trouble, self.sound, self.why) = (effect, trouble, sound, why)
    }
  }

  /// Why chains cannot be tried; a sentence without its point.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  private let settings: EffectsHost.Settings
  private let host: EffectsHost
  private let arrived = Arrivals()
  private var (period, chains) = (0, 0)

  private final class Arrivals: Sendable {
    let reports = Mutex<[EffectReport]>([])
    let bell = Semaphore()
  }

  /// Periods of each sound: a second.
  private var periods: Int { max(8, Int(settings.rate) / settings.frames) }

  /// - Throws: `Failure` if the system has no memory left.
  public init(_ settings: EffectsHost.Settings) throws(Failure) {
    self.settings = settings
    do throws(SystemError) {
      host = try EffectsHost(settings) { [arrived] report in
        arrived.reports.withLock { $0.append(report) }
        arrived.bell.signal()
      }
    } catch { throw Failure(description: "there is no memory for effects: \(error.reason)") }
  }

  deinit { host.stop() }

  /// Runs a chain on all sounds. What the router never gives a plugin, NaN, may come out as NaN; it must not end or stop the program.
  ///
  /// - Throws: `Failure` if the program cannot be started.
  public func run(_ chain: EffectChain) throws(Failure) -> Result {
    // Another place, so that no chain is taken for a change of the one before.
    var attempt = Attempt(chain: chain, place: chains % EffectLimits.chains)
    chains += 1
    host.keep([attempt.place: chain])
    try settle(&attempt)
    for sound in Sound.allCases {
      attempt.sound = sound
      var isWhole = false
      while !isWhole, let loaded = attempt.loaded {
        isWhole = play(sound, to: loaded, &attempt)
        if !isWhole { try settle(&attempt) }
      }
    }
    return attempt.result
  }

  /// A chain on its way through the sounds.
  private struct Attempt {
    let chain: EffectChain
    let place: Int
    var sound: Sound?
    /// The load that runs; nil if none does.
    var loaded: (revision: Int, effects: Int)?
    var (result, leftOut) = (Result(), 0)

    init(chain: EffectChain, place: Int) { (self.chain, self.place) = (chain, place) }

    var isSettled: Bool { (loaded?.effects ?? 0) + leftOut == chain.effects.count }
  }

  /// Waits until the program runs all effects of the chain that are not left out. The host gives up one that does not load, or does not return.
  private func settle(_ attempt: inout Attempt) throws(Failure) {
    repeat {
      for report in arrived.reports.withLock({ reports in
        defer { reports = [] }
        return reports
      }) {
        try take(report, &attempt)
      }
      if !attempt.isSettled { arrived.bell.wait() }
    } while !attempt.isSettled
  }

  private func take(_ report: EffectReport, _ attempt: inout Attempt) throws(Failure) {
    switch report {
    case .loaded(attempt.place, let revision, let latency, let effects):
      attempt.loaded = (revision, effects.count)
      // After NaN many effects are left out.
      guard attempt.sound != .notANumber else { return }
      attempt.result.latency = latency
      attempt.result.notes = effects.sorted { $0.key < $1.key }.flatMap {
        $1.notes(on: attempt.chain.effects[$0])
      }
    case .unloaded(attempt.place): attempt.loaded = nil
    case .latency(attempt.place, let frames) where attempt.sound != .notANumber:
      attempt.result.latency = frames
    case .faulty(let place, let trouble, let why) where place.chain == attempt.place:
      attempt.loaded = nil
      attempt.leftOut += 1
      if trouble == .notFinite, attempt.sound == .notANumber { return }
      attempt.result.faults.append(
        Fault(effect: place.effect, trouble: trouble, sound: attempt.sound, why: why))
    case .ended(let why, let again):
      attempt.loaded = nil
      // It starts again at once after a plugin's fault.
      if again > 0 { throw Failure(description: why) }
    default: break
    }
  }

  /// Runs a second of a sound through the chain. Returns whether all of it came back; otherwise the host will say why.
  private func play(_ sound: Sound, to loaded: (revision: Int, effects: Int), _ attempt: inout Attempt)
    -> Bool
  {
    let (exchange, frames) = (host.memory.exchange, settings.frames)
    let blocks = exchange.chain(attempt.place)
    func total() -> Int { (0..<loaded.effects).reduce(0) { $0 + blocks.times(effect: $1).nanoseconds } }
    let begin = total()
    var noise = SystemRandomNumberGenerator()
    for _ in 0..<periods {
      period += 1
      for channel in 0..<attempt.chain.channels {
        let input = blocks.input(channel: channel)
        for frame in 0..<frames {
          input[frame] =
            switch sound {
            case .silence: 0
            case .noise: Float.random(in: -0.5...0.5, using: &noise)
            case .notANumber: .nan
            }
        }
      }
      blocks.give(period: period, begin: 0, frames: frames)
      exchange.ask(period: period, frames: frames)
      while !blocks.isMade(period: period, frames: frames, revision: loaded.revision) {
        if hasTrouble(of: attempt.place) { return false }
        exchange.wait(for: blocks, period: period, frames: frames, revision: loaded.revision, naps: 20)
      }
    }
    if sound == .noise { attempt.result.time = Double(total() - begin) / 1e9 / Double(periods) }
    return true
  }

  /// Whether the host has said that the chain does not run any more.
  private func hasTrouble(of place: Int) -> Bool {
    arrived.reports.withLock { reports in
      reports.contains {
        switch $0 {
        case .faulty(let at, _, _): at.chain == place
        case .ended: true
        default: false
        }
      }
    }
  }
}
