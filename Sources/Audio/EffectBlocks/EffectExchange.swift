internal import CRealtime
internal import Synchronization

/// The memory that the router and the effects program share: the blocks of all chains, the control queue, and what the program is doing.
/// `EffectMemoryStore` owns it.
public struct EffectExchange: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the pointers lead to memory that two processes share, in which all but samples, meters and the queue's entries are atomics. One
  // thread writes the queue, one reads it.
  let memory: UnsafeMutableRawPointer
  private let layout: EffectLayout
  let bell: UnsafeMutablePointer<EffectBellWords>
  let program: UnsafeMutablePointer<EffectProgramWords>
  let queue: UnsafeMutablePointer<EffectQueueWords>
  let activities: UnsafeMutablePointer<EffectActivityWords>
  private let changes: UnsafeMutablePointer<EffectChangeWords>

  @_noLocks
  init(_ memory: UnsafeMutableRawPointer, _ layout: EffectLayout) {
    (self.memory, self.layout) = (memory, layout)
    bell = (memory + EffectLayout.bell).assumingMemoryBound(to: EffectBellWords.self)
    program = (memory + EffectLayout.program).assumingMemoryBound(to: EffectProgramWords.self)
    queue = (memory + EffectLayout.queue).assumingMemoryBound(to: EffectQueueWords.self)
    activities = (memory + EffectLayout.activities).assumingMemoryBound(to: EffectActivityWords.self)
    changes = (memory + EffectLayout.changes).assumingMemoryBound(to: EffectChangeWords.self)
  }

  /// The blocks of a chain, by its place from 0 to `EffectLimits.chains - 1`.
  @_noLocks
  public func chain(_ index: Int) -> EffectBlocks { EffectBlocks(memory, layout, chain: index) }

  // MARK: The audio thread

  /// Has the program process the blocks of a period that were given. Never waits. A program that is on time is awake already: a system call
  /// wakes it only if it sleeps without a time, as before the first period and after one that came late.
  @_noLocks
  public func ask(period: Int, frames: Int) {
    program.pointee.frames.store(frames, ordering: .relaxed)
    program.pointee.askedAt.store(mr_monotonic_nanoseconds(), ordering: .relaxed)
    program.pointee.asked.store(period, ordering: .releasing)
    bell.pointee.rings.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if bell.pointee.sleeps.load(ordering: .sequentiallyConsistent) == EffectSleep.untilRing.rawValue {
      mr_word_wake(bell)
    }
  }

  /// Waits until the program has processed the block of a period, and not at all for a program that has ended. In freewheel and offline alone.
  ///
  /// - Parameter naps: how long to wait at most, in naps of 50 us: 5 s.
  @_noLocks
  public func wait(for blocks: EffectBlocks, period: Int, frames: Int, revision: Int, naps: Int = 100_000) {
    if blocks.isMade(period: period, frames: frames, revision: revision) { return }
    ring()
    for _ in 0..<naps {
      if blocks.isMade(period: period, frames: frames, revision: revision)
        || isAbandoned()
      {
        return
      }
      mr_freewheel_nap()
    }
  }

  /// Whether the program has ended.
  @_noLocks
  package func isAbandoned() -> Bool { program.pointee.isAbandoned.load(ordering: .acquiring) }

  // MARK: The bell

  /// Wakes the program's sound thread at once. Any thread of both processes.
  @_noLocks
  public func ring() {
    bell.pointee.rings.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if bell.pointee.sleeps.load(ordering: .sequentiallyConsistent) != EffectSleep.awake.rawValue {
      mr_word_wake(bell)
    }
  }

  /// The number of rings. The sound thread gets it before it looks for work.
  @_noLocks
  package func rings() -> UInt32 { bell.pointee.rings.load(ordering: .sequentiallyConsistent) }

  // MARK: The control queue

  /// Adds a change; false if the queue is full. One thread of the router alone; `ring` follows.
  @_noLocks
  public func push(_ change: EffectChange) -> Bool {
    let count = queue.pointee.written.load(ordering: .relaxed)
    guard count &- queue.pointee.read.load(ordering: .acquiring) < EffectLimits.changes else { return false }
    changes[count & (EffectLimits.changes &- 1)] = EffectChangeWords(change)
    queue.pointee.written.store(count &+ 1, ordering: .releasing)
    return true
  }

  /// Takes the oldest change; nil if there is none. The program's sound thread alone.
  @_noLocks
  package func pop() -> EffectChange? {
    while true {
      let count = queue.pointee.read.load(ordering: .relaxed)
      guard count != queue.pointee.written.load(ordering: .acquiring) else { return nil }
      let words = changes[count & (EffectLimits.changes &- 1)]
      queue.pointee.read.store(count &+ 1, ordering: .releasing)
      if let change = words.change() { return change }
    }
  }

  // MARK: What the program does

  /// The newest period that the audio thread has asked for.
  @_noLocks
  public func asked() -> Int { program.pointee.asked.load(ordering: .acquiring) }

  /// How often the program has looked for blocks since it started.
  @_noLocks
  public func rounds() -> Int { program.pointee.rounds.load(ordering: .acquiring) }

  /// The newest period whose blocks the program has looked for.
  @_noLocks
  public func done() -> Int { program.pointee.done.load(ordering: .acquiring) }

  /// Notes that the program is done with a period. The program's sound thread alone.
  @_noLocks
  package func finish(period: Int) { program.pointee.done.store(period, ordering: .releasing) }

  /// Counts a look for blocks. The program's sound thread alone.
  @_noLocks
  package func countRound() { program.pointee.rounds.wrappingAdd(1, ordering: .releasing) }

  /// Says which effect a thread of the program runs, before it runs, so that the router knows whose plugin crashed.
  @_noLocks
  package func begin(_ place: EffectPlace, on thread: EffectThread) {
    (activities + thread.rawValue).pointee.place.store(place.word(), ordering: .releasing)
  }

  /// Says that the thread runs no plugin now.
  @_noLocks
  package func end(on thread: EffectThread) {
    (activities + thread.rawValue).pointee.place.store(0, ordering: .releasing)
  }

  /// The effect that a thread of the program runs now; nil if it runs none.
  @_noLocks
  public func place(of thread: EffectThread) -> EffectPlace? {
    EffectPlace(word: (activities + thread.rawValue).pointee.place.load(ordering: .acquiring))
  }

  /// Tells the number of a thread. Each thread of the program calls it once.
  @_noLocks
  package func introduce(_ thread: EffectThread, number: Int) {
    (activities + thread.rawValue).pointee.thread.store(number, ordering: .releasing)
  }

  /// The system's number of a thread of the program; 0 while the thread has not told it.
  @_noLocks
  public func number(of thread: EffectThread) -> Int {
    (activities + thread.rawValue).pointee.thread.load(ordering: .acquiring)
  }

  /// The thread that crashed; nil if none has, or a thread that a plugin has made.
  @_noLocks
  public func crashedThread() -> EffectThread? {
    let crashed = program.pointee.crashed.load(ordering: .acquiring)
    guard crashed != 0 else { return nil }
    for thread in 0..<3 where (activities + thread).pointee.thread.load(ordering: .acquiring) == crashed {
      return EffectThread(rawValue: thread)
    }
    return nil
  }

  /// Whether a thread has crashed, whichever it was.
  @_noLocks
  public func hasCrashed() -> Bool { program.pointee.crashed.load(ordering: .acquiring) != 0 }
}
