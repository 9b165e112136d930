internal import Synchronization

// What the router and the effects program tell each other beside samples. All of it is in memory that both processes map, so each value is
// an atomic. The router trusts nothing in it to be in a range: a plugin may write anywhere.

/// A block that the audio thread gives. Two of them are a cache line at most.
struct EffectGivenWords: ~Copyable {
  /// The number of the period whose block is there; stored last.
  let period = Atomic<Int>(0)
  let frames = Atomic<Int>(0)
  /// Where the block begins in the circles of input.
  let begin = Atomic<Int>(0)

  package init() {}
}

/// A block that the effects program has processed. Two of them are a cache line at most.
struct EffectMadeWords: ~Copyable {
  /// The number of the period whose block is there; stored last.
  let period = Atomic<Int>(0)
  let frames = Atomic<Int>(0)
  /// Frames by which the sound is later than its input, and which load of the chain has made it.
  let latency = Atomic<Int>(0)
  let revision = Atomic<Int>(0)

  package init() {}
}

/// A chain.
struct EffectChainWords: ~Copyable {
  /// Blocks that the audio thread wanted and that were not there, since the start.
  let late = Atomic<Int>(0)
  /// Frames by which the chain delays the sound.
  let latency = Atomic<Int>(0)

  package init() {}
}

/// An effect of a chain.
struct EffectWords: ~Copyable {
  /// The raw value of an `EffectFault`, or 0.
  let fault = Atomic<Int>(0)
  /// Nanoseconds of all runs since the effect was loaded, and their number.
  let total = Atomic<Int>(0)
  let runs = Atomic<Int>(0)

  package init() {}
}

/// The program as a whole.
struct EffectProgramWords: ~Copyable {
  /// The newest period whose blocks the audio thread has given.
  let asked = Atomic<Int>(0)
  /// How often the program has looked for blocks.
  let rounds = Atomic<Int>(0)
  /// Whether the program has ended, so that nothing may wait for it.
  let isAbandoned = Atomic<Bool>(false)
  /// The thread that crashed; 0 if none has.
  let crashed = Atomic<Int>(0)
  /// When the newest period was asked for, in nanoseconds of the monotonic clock, and its frames.
  let askedAt = Atomic<UInt64>(0)
  let frames = Atomic<Int>(0)
  /// The newest period whose blocks the program has looked for.
  let done = Atomic<Int>(0)

  package init() {}
}

/// What a thread of the effects program is doing.
struct EffectActivityWords: ~Copyable {
  /// The raw value of the `EffectPlace` whose plugin the thread runs; 0 if it runs none.
  let place = Atomic<Int>(0)
  /// The number of the thread.
  let thread = Atomic<Int>(0)

  package init() {}
}

/// The control queue's counters.
struct EffectQueueWords: ~Copyable {
  let written = Atomic<Int>(0)
  let read = Atomic<Int>(0)

  package init() {}
}

/// The bell that wakes the effects program.
struct EffectBellWords: ~Copyable {
  /// Counts rings; the program waits for a change of this word (futex(2)).
  let rings = Atomic<UInt32>(0)
  /// The raw value of an `EffectSleep`.
  let sleeps = Atomic<UInt32>(0)

  package init() {}
}
