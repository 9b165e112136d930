public import EffectBlocks
public import Effects
import Synchronization
public import SystemCalls
import Threads

/// Keeps chains of effects running in a program of their own, which runs while there are chains. If a plugin ends the program, hangs or is wrong,
/// the host says which one, and goes on without it.
///
/// Any thread but the audio thread may call it. The program never outlives the host: its thread ends after it, and the system kills it if our
/// process ends in any other way.
public final class EffectsHost: Sendable {
  public struct Settings: Sendable {
    /// The path of `multiroute-effects`.
    public var program: String
    /// Frames per second.
    public var rate: Double
    /// Frames of the longest period, at most `EffectLimits.frames`.
    public var frames: Int
    /// The real-time priority of the program, one below that of the audio thread; 0 for none.
    public var priority: Int32
    /// Where plugins are looked for, as in LV2_PATH; nil for what the environment says.
    public var pluginPath: String?

    public init(program: String, rate: Double, frames: Int, priority: Int32, pluginPath: String? = nil) {
      (self.program, self.rate, self.frames) = (program, rate, frames)
      (self.priority, self.pluginPath) = (priority, pluginPath)
    }
  }

  /// Receives each report, on the host's thread, in order.
  public typealias Report = @Sendable (EffectReport) -> Void

  /// The memory that the audio thread uses; the same for all runs of the program.
  public let memory: EffectMemoryStore
  private let orders = Mutex(Orders())
  /// A counter; a write to it wakes the thread.
  private let waker: Int32

  /// What other threads want of the host's thread.
  struct Orders {
    var chains: [Int: EffectChain] = [:]
    /// Seconds in which values get to where they are wanted.
    var seconds = 0.0
    /// Whether effects that are left out are to be tried again.
    var forgives = false
    var isStopping = false
    var thread: OwnThread?
  }

  /// Starts the thread, and no program yet.
  ///
  /// - Throws: `SystemError` if the system has no memory left.
  public init(_ settings: Settings, report: @escaping Report) throws(SystemError) {
    memory = try EffectMemoryStore(frames: settings.frames)
    waker = try System.eventfd()
    orders.withLock { orders in
      orders.thread = OwnThread("mr-effects") { [self] in
        var work = EffectsWork(settings, memory, waker: waker, report: report)
        work.run { self.takeOrders() }
      }
    }
  }

  deinit { System.close(waker) }

  /// Keeps these chains running, by their places from 0 to `EffectLimits.chains - 1`, and ends all others. A chain that differs in values alone
  /// goes on, and its controls move; any other change loads the chain anew.
  ///
  /// - Parameter seconds: in which the controls get to their values, at least 5 ms.
  public func keep(_ chains: [Int: EffectChain], seconds: Double = 0) {
    precondition(chains.keys.allSatisfy((0..<EffectLimits.chains).contains), "there is no such place")
    orders.withLock { ($0.chains, $0.seconds) = (chains, seconds) }
    System.eventfd_write(waker)
  }

  /// Tries all effects again that are left out.
  public func tryAgain() {
    orders.withLock { $0.forgives = true }
    System.eventfd_write(waker)
  }

  /// Ends the program and waits for that. Nothing is reported afterwards. Calling it again has no effect.
  public func stop() {
    let thread = orders.withLock { orders in
      (orders.chains, orders.isStopping) = ([:], true)
      return orders.thread.take()
    }
    System.eventfd_write(waker)
    thread?.join()
  }

  private func takeOrders() -> Orders {
    orders.withLock { orders in
      defer { orders.forgives = false }
      return orders
    }
  }
}
