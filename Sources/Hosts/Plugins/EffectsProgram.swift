import CPlugins
import CRealtime
import EffectBlocks
import Effects
import Processes
import SystemCalls

/// The effects program as the router's child: it loads chains as it is told, and runs them.
///
/// The router is at the other end of a socket. The calling thread loads; when the router ends, so does the program.
public enum EffectsProgram {
  /// How the router starts the program.
  public struct Settings: Sendable {
    /// Frames per second.
    public var rate: Double
    /// Frames of the longest period.
    public var frames: Int
    /// Of the sound thread, 1 to 99; 0 for none.
    public var priority: Int32

    public init(rate: Double, frames: Int, priority: Int32) {
      (self.rate, self.frames, self.priority) = (rate, frames, priority)
    }
  }

  /// Runs until the router ends.
  ///
  /// - Parameters:
  ///   - memory: the file of the shared memory; it is closed here.
  ///   - router: the socket.
  /// - Throws: `SystemError` if the memory cannot be used, `PluginError` if liblilv is missing.
  public static func run(_ settings: Settings, memory: Int32, router: Int32) throws {
    let store = try EffectMemoryStore(descriptor: memory, frames: settings.frames)
    let exchange = store.exchange
    mr_denormals_off()
    exchange.introduce(.loader, number: Int(mr_crash_thread()))
    mr_crash_note(exchange.crashed())
    _ = mr_lock_memory()
    let world = try PluginWorld()
    let host = HostFeatures(HostSettings(rate: settings.rate, frames: settings.frames))
    let loader = ChainLoader(exchange, world, host, priority: settings.priority)
    send(.ready, to: router)
    var lines = LineStream(router, limit: 16 << 20)
    while let line = lines.next() {
      if let order = EffectOrder(line: line) { send(loader.carryOut(order), to: router) }
    }
    // The sound thread still runs: nothing is freed.
    withExtendedLifetime(store) { System._exit(0) }
  }

  private static func send(_ answer: EffectAnswer, to router: Int32) {
    var rest = answer.line[...]
    while !rest.isEmpty {
      guard let count = try? System.send(router, rest, waits: true) else { return }
      rest = rest.dropFirst(count)
    }
  }
}

/// Loads chains for the sound thread. For one thread.
private struct ChainLoader {
  private let exchange: EffectExchange
  private let world: PluginWorld
  private let host: HostFeatures
  private let worker: PluginWorker
  private let sound: SoundThread

  init(_ exchange: EffectExchange, _ world: PluginWorld, _ host: HostFeatures, priority: Int32) {
    (self.exchange, self.world, self.host) = (exchange, world, host)
    worker = PluginWorker(exchange)
    sound = SoundThread(exchange, rate: host.settings.rate, priority: priority)
  }

  func carryOut(_ order: EffectOrder) -> EffectAnswer {
    switch order {
    case .unload(let place):
      guard (0..<EffectLimits.chains).contains(place) else { return .unloaded(place: place) }
      sound.exchange(nil, at: place)?.unload()
      return .unloaded(place: place)
    case .load(let place, let revision, let chain):
      guard (0..<EffectLimits.chains).contains(place) else {
        let why = "there are \(EffectLimits.chains) places for chains"
        return .refused(place: place, revision: revision, effect: 0, why: why)
      }
      do throws(RunningChain.Refusal) {
        let running = try RunningChain(
          chain, place: place, revision: revision, exchange, world, host, worker)
        let loaded = running.loaded
        sound.exchange(running, at: place)?.unload()
        return .loaded(loaded)
      } catch {
        return .refused(
          place: place, revision: revision, effect: error.effect, why: error.reason.description)
      }
    }
  }
}
