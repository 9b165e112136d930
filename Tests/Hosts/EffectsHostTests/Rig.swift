import AwaitedEvents
import EffectBlocks
import Effects
import EffectsHost
import Foundation
import Testing
import WildPlugins

/// A host with the real program, and what the audio thread would do with it.
final class Rig {
  let host: EffectsHost
  let reports = AwaitedEvents<EffectReport>()
  /// Frames of a period.
  let frames: Int
  private(set) var period = 0
  /// The present revision of each chain, as the host reports it.
  private let log = Log()

  private final class Log: @unchecked Sendable {
    // Unchecked: under the lock.
    private let lock = NSLock()
    private var latest: [Int: (revision: Int, latency: Int, effects: [Int: LoadedEffect])] = [:]

    func note(_ report: EffectReport) {
      lock.withLock {
        switch report {
        case .loaded(let chain, let revision, let latency, let effects):
          latest[chain] = (revision, latency, effects)
        case .ended: latest = [:]
        default: break
        }
      }
    }

    subscript(chain: Int) -> (revision: Int, latency: Int, effects: [Int: LoadedEffect])? {
      lock.withLock { latest[chain] }
    }
  }

  static let program: String = {
    if let usual = InstalledEffects.usualProgram { return usual }
    // The toolchain's test runner loads the tests from the first path in the command line.
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    return URL(filePath: bundle).deletingLastPathComponent().appending(path: "multiroute-effects").path()
  }()

  static let plugins = Result { try WildPlugins() }

  init(frames: Int = 64, program: String = Rig.program) throws {
    self.frames = frames
    let (reports, log) = (reports, log)
    host = try EffectsHost(
      EffectsHost.Settings(
        // As in a router, so that other tests do not hold the program up, if the system allows it.
        program: program, rate: 48_000, frames: frames, priority: 10,
        pluginPath: try Self.plugins.get().path)
    ) { report in
      log.note(report)
      reports.add(report)
    }
  }

  deinit { host.stop() }

  var exchange: EffectExchange { host.memory.exchange }

  /// The chain that runs at a place, awaited.
  func loaded(_ chain: Int = 0, effects: Int? = nil) throws -> (
    revision: Int, latency: Int, effects: [Int: LoadedEffect]
  ) {
    let isThere = reports.wait {
      self.log[chain].map { effects == nil || $0.effects.count == effects } == true
    }
    try #require(isThere, "no chain is loaded; reported: \(reports.all)")
    return try #require(log[chain])
  }

  /// Loads one chain, and waits for it.
  @discardableResult
  func load(_ chain: EffectChain, at place: Int = 0) throws -> (
    revision: Int, latency: Int, effects: [Int: LoadedEffect]
  ) {
    host.keep([place: chain])
    return try loaded(place)
  }

  /// The first report of a fault, awaited.
  func fault() throws -> (place: EffectPlace, trouble: EffectTrouble, why: String) {
    try #require(
      reports.first {
        if case .faulty(let place, let trouble, let why) = $0 { (place, trouble, why) } else { nil }
      },
      "reported: \(reports.all)")
  }

  /// The process number of the program.
  func program() throws -> Int32 {
    try #require(
      reports.all.compactMap { if case .started(let process) = $0 { process } else { nil } }.last)
  }

  // MARK: As in freewheel

  /// Runs sound through a chain, and waits for each block. Nil if a block was not there.
  func run(
    _ sound: [[Float]], side: [[Float]] = [], at place: Int = 0, frames given: Int? = nil
  ) throws -> [[Float]]? {
    let revision = try loaded(place).revision
    let (frames, blocks) = (given ?? frames, exchange.chain(place))
    var result = [[Float]](repeating: [], count: sound.count)
    for begin in stride(from: 0, to: sound[0].count, by: frames) {
      let count = min(frames, sound[0].count - begin)
      period += 1
      for (channel, samples) in sound.enumerated() {
        copy(samples, begin, count, to: blocks.input(channel: channel))
      }
      for (channel, samples) in side.enumerated() {
        copy(samples, begin, count, to: blocks.side(channel: channel, period: period))
      }
      blocks.give(period: period, begin: 0, frames: count)
      exchange.ask(period: period, frames: count)
      let end = ContinuousClock.now + .seconds(20)
      while !blocks.take(period: period, frames: count, revision: revision) {
        // A faulty chain makes no more blocks.
        if (0..<EffectLimits.effects).contains(where: { blocks.fault(effect: $0) != nil }) { return nil }
        guard ContinuousClock.now < end else { return nil }
        exchange.wait(for: blocks, period: period, frames: count, revision: revision, naps: 1_000)
      }
      for channel in sound.indices {
        result[channel] += UnsafeBufferPointer(
          start: blocks.output(channel: channel, period: period), count: count)
      }
    }
    return result
  }

  private func copy(_ samples: [Float], _ begin: Int, _ count: Int, to place: UnsafeMutablePointer<Float>) {
    for frame in 0..<count { place[frame] = samples[begin + frame] }
  }

  /// Runs one channel.
  func run(_ sound: [Float], at place: Int = 0) throws -> [Float] {
    try #require(try run([sound], at: place), "a block is missing; reported: \(reports.all)")[0]
  }

  // MARK: In real time

  /// Runs periods of silence at their pace, as the audio thread does, until `isEnough`. Returns how many blocks were not there in time; false
  /// after a minute.
  func beat(_ places: [Int], value: Float = 0.25, until isEnough: (Int) -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    let length = Duration.seconds(Double(frames) / 48_000)
    var (next, count) = (ContinuousClock.now, 0)
    while ContinuousClock.now < end {
      if isEnough(count) { return true }
      for place in places {
        let blocks = exchange.chain(place)
        if let revision = log[place]?.revision {
          _ = blocks.take(period: period, frames: frames, revision: revision)
        }
        blocks.input(channel: 0).update(repeating: value, count: frames)
        blocks.give(period: period + 1, begin: 0, frames: frames)
      }
      period += 1
      count += 1
      exchange.ask(period: period, frames: frames)
      next += length
      Thread.sleep(forTimeInterval: max(0, (next - ContinuousClock.now) / .seconds(1)))
    }
    return false
  }
}
