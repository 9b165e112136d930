public import SessionModel
import Synchronization
import Threads
public import VoiceKernel

/// The voice processing of one capture: the worker thread, which runs the library, and the audio thread's way to it.
///
/// Any thread may call its functions. The worker looks for new samples every millisecond while a block may be complete.
public final class VoiceProcessor: Sendable {
  /// The audio thread's side, for the mix.
  public let node: VoiceNodeStore
  private let work: Work
  private let thread: PacedThread

  /// What the worker and the other threads tell each other.
  private final class Work: Sendable {
    let delay = Atomic<Int>(0)
    let measures = Mutex(VoiceMeasures())
  }

  /// The chain and its time, which the worker thread alone uses.
  private final class Worker: @unchecked Sendable {
    let chain: VoiceChain
    private let work: Work
    private let node: VoiceNodeStore
    private var pace: VoicePace
    private var hasPriority = false
    private var blocks = 0
    /// Blocks since the canceller last found the echo where it looks for it.
    private var poorBlocks = 0

    init(_ chain: consuming VoiceChain, _ node: VoiceNodeStore, _ work: Work, _ pace: VoicePace) {
      self.chain = chain
      (self.node, self.work, self.pace) = (node, work, pace)
    }

    func pass() -> PacedThread.Pace {
      if !hasPriority {
        hasPriority = true
        OwnThread.enterRealtime(priority: VoiceProcessor.priority)
      }
      let delay = work.delay.load(ordering: .relaxed)
      node.process { near, far, out in
        chain.process(near, far: far, into: out, delay: delay)
        blocks += 1
        if blocks % VoiceProcessor.measuredBlocks == 0 { measure() }
      }
      guard !node.isAwaited else { return .after(milliseconds: 1) }
      return .after(milliseconds: pace.pause(written: node.written, waiting: node.waiting))
    }

    private func measure() {
      let now = chain.measures()
      poorBlocks = now.poorDelays > 0.5 ? poorBlocks + VoiceProcessor.measuredBlocks : 0
      let measures = VoiceMeasures(
        enhancement: now.enhancement, isDiverged: poorBlocks >= VoiceProcessor.divergedBlocks)
      work.measures.withLock { $0 = measures }
    }
  }

  /// Below the threads of JACK's clients, which come first.
  private static let priority: Int32 = 4
  /// Blocks of 10 ms between two measurements.
  private static let measuredBlocks = 25
  /// Blocks of 10 ms after which a canceller that finds no echo has diverged: 5 s.
  private static let divergedBlocks = 500

  /// Loads the library if need be and begins to process. May take 50 ms, the first time for a rate and parts.
  ///
  /// - Parameters:
  ///   - rate: frames per second.
  ///   - period: frames per period of the audio server.
  ///   - loudspeakers: number of channels that the echo canceller knows of the loudspeakers.
  /// - Throws: `VoiceError` if the library is missing or refuses the rate.
  public init(_ parts: VoiceProcessing, rate: Int, period: Int, loudspeakers: Int) throws(VoiceError) {
    let chain = try VoiceChain(parts, rate: rate)
    let algorithm = try VoiceLatency.frames(of: parts, rate: rate)
    let timing = VoiceTiming(rate: rate, period: period, algorithm: algorithm)
    node = VoiceNodeStore(timing, loudspeakers: loudspeakers)
    work = Work()
    let worker = Worker(
      chain, node, work, VoicePace(rate: rate, period: period, block: timing.block))
    thread = PacedThread(name: "mr-voice", bell: PacedThread.Bell()) { worker.pass() }
  }

  deinit { stop() }

  /// Ends the worker thread and waits for it. The audio thread may still use the node, and finds the worker late.
  public func stop() {
    node.abandon()
    thread.stop()
  }

  /// Sets the seconds from what the loudspeakers play to its echo in the microphone. The canceller looks for the echo from 10 ms before on,
  /// because it finds none that comes earlier than it is told.
  public func setEchoDelay(_ seconds: Double) {
    work.delay.store(max(0, Int((seconds * 1_000).rounded(.down)) - 10), ordering: .relaxed)
  }

  public var measures: VoiceMeasures { work.measures.withLock { $0 } }
}

/// What the echo canceller of a voice tells of itself.
public struct VoiceMeasures: Equatable, Sendable {
  /// Echo return loss enhancement in dB: by how much the echo is lower than in the microphone.
  public var enhancement = 0.0
  /// Whether the canceller has found no echo where it looks for one for 5 s.
  public var isDiverged = false
}
