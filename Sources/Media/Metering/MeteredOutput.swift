public import MediaKernel
public import SessionModel
import Synchronization
public import SystemCalls

/// An output that is measured: the way from the audio thread, and what the meters show.
///
/// The owner (the router) puts `store` and the newest order into its plan. Any thread but the audio thread may call every function; none waits.
public final class MeteredOutput: Sendable {
  /// The audio thread's way to the meters.
  public let store: RecorderTapStore
  public let meters: [OutputMeter]
  let sampleRate: Int
  let wish = Mutex(Wish())
  let shown = Mutex<[MeterValue: [Float]]>([:])
  let tell: @Sendable (DynamicLibrary.Missing) -> Void
  private let outputs: MeterThread.Outputs

  /// What the owner wants.
  struct Wish {
    var order = TapOrder()
    /// How often it has begun to listen, and to measure a programme.
    var (beginnings, resets) = (0, 0)
  }

  /// Makes the meters, which take about 10 kB until they listen.
  ///
  /// - Parameters:
  ///   - meters: each of them measures so many channels.
  ///   - channels: 1 to 64.
  ///   - sampleRate: of the plan, in Hz.
  ///   - tell: called on the meters' thread if the library that measures loudness and true peaks is missing; it must not wait.
  public init(
    _ thread: MeterThread, meters: [OutputMeter], channels: Int, sampleRate: Int,
    tell: @escaping @Sendable (DynamicLibrary.Missing) -> Void
  ) {
    store = RecorderTapStore(channels: channels)
    (self.meters, self.sampleRate, self.tell, outputs) = (meters, sampleRate, tell, thread.outputs)
    outputs.add(self)
  }

  /// Takes the meters off their thread. The audio thread must not use their tap any more.
  public func close() { outputs.remove(self) }

  /// The newest order for the plan.
  public var order: TapOrder { wish.withLock { $0.order } }

  /// Begins or ends measuring. There is no ring before the first time.
  public func listen(_ listens: Bool) {
    wish.withLock { wish in
      if listens {
        store.makeRing(frames: max(Self.shortestRing, sampleRate / 2))
        wish.beginnings += 1
      }
      wish.order = TapOrder(serial: wish.order.serial + 1, listens: listens)
    }
    outputs.wake()
  }

  /// The thread may be late by half a second, or two of the longest periods.
  private static let shortestRing = 16_384

  /// Begins a new programme.
  public func reset() {
    wish.withLock { $0.resets += 1 }
    outputs.wake()
  }

  /// What the meters show: a value for each channel, or one for all; nothing while they do not listen. True peaks are the highest since the last
  /// call.
  public func takeReadings() -> [MeterValue: [Float]] {
    guard order.listens else { return [:] }
    return shown.withLock { shown in
      defer { shown[.truePeak] = nil }
      return shown
    }
  }
}
