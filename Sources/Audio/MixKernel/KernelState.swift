internal import CRealtime

/// The audio thread's own state. Only that thread may call its functions; they neither block, allocate nor free.
///
/// In every period the thread calls `adopt()`, which adopts the newest plan, then writes the buffers of all ports of that plan, and
/// calls `run(frames:waits:lost:)`, which mixes. The length of a period may change every time. `MixEngine` makes the state and frees it after the
/// last period.
public struct KernelState: ~Copyable {
  /// The memory that is shared with the control side.
  public let exchange: UnsafeMutablePointer<Exchange>
  /// The plan in use.
  var plan: UnsafeMutablePointer<Plan>
  /// Present gains and ramps of all stages.
  var memory: UnsafeMutablePointer<StageMemory>
  /// Whether to use the loops for newer processors.
  let newer: Bool
  /// Whether to use the matrix loops for processors with AVX-512.
  let widest: Bool
  /// Memory in which one group of sinks is mixed.
  let scratch: Scratch
  /// Number of ramps that run.
  var rampCount = 0
  /// Greatest length of a block in frames while ramps run; the faster a gain changes, the shorter it is.
  var rampBlock: Int32 = 0
  /// Whether a ramp began or ended since `markMoving()`.
  var rampsChanged = false
  /// Whether a stage with a ramp belongs to a row or a sink, and not only to crosspoints.
  var sharedStageMoves = false
  /// Whether a duck stage has a ramp, and whether the stage of a crosspoint's own level has one.
  var duckMoves = false
  var levelMoves = false
  var glide = Glide()
  /// How far gains have gone in the middle of the block, and 1 / (way (1 - way)); 0 while no gain is computed there.
  var middle: (way: Float, scale: Float) = (0.5, 0)
  /// Frames processed since the start.
  var frames: UInt64 = 0
  /// The last early level, and its number; the number is 0 after a plan has decided about the level.
  var early = EarlyLevel(stage: 0, identity: 0, target: 0, frames: 1)
  var earlySerial: UInt64 = 0
  /// The sums for the next telemetry record.
  var tally = Tally()
  /// Frames between telemetry records.
  let telemetryInterval: Int

  /// Makes the state from memory that the control side has made, with `plan` as the plan in use. Not for the audio thread.
  package init(
    exchange: UnsafeMutablePointer<Exchange>, plan: UnsafeMutablePointer<Plan>, newer: Bool, widest: Bool,
    scratch: Scratch, telemetryInterval: Int
  ) {
    self.exchange = exchange
    self.plan = plan
    memory = plan.pointee.memory
    self.newer = newer
    self.widest = widest
    self.scratch = scratch
    self.telemetryInterval = telemetryInterval
  }

  /// Number of sources of the plan in use.
  @_noLocks
  public func sourceCount() -> Int { plan.pointee.structure.pointee.sourceCount }

  /// Number of sinks of the plan in use.
  @_noLocks
  public func sinkCount() -> Int { plan.pointee.structure.pointee.sinkCount }

  /// The port of each source, as `PortHandle.rawValue`, in the order of the structure; 0 for a channel of a ring, a deck or a tap.
  @_noLocks
  public func sourceHandles() -> UnsafePointer<UInt> {
    UnsafePointer(plan.pointee.structure.pointee.sourceHandles)
  }

  /// The port of each sink, as `PortHandle.rawValue`, in the order of the structure; 0 for a channel of a ring, a deck or a tap.
  @_noLocks
  public func sinkHandles() -> UnsafePointer<UInt> {
    UnsafePointer(plan.pointee.structure.pointee.sinkHandles)
  }

  /// The buffers of all sources, which the caller writes: a pointer to each source's samples of this period, or nil for silence.
  /// `run(frames:waits:lost:)` overwrites the entries of rings and decks.
  ///
  /// The entries are valid for one period.
  @_noLocks
  public func sourceBuffers() -> UnsafeMutablePointer<UnsafePointer<Float>?> {
    plan.pointee.structure.pointee.sourceBuffers
  }

  /// The buffers of all sinks, which the caller writes: a pointer to the memory for each sink's samples of this period. The samples of a
  /// sink with nil are measured and dropped. `run(frames:waits:lost:)` overwrites the entries of rings and taps.
  ///
  /// The entries are valid for one period. A sink's buffer may also be a source's.
  @_noLocks
  public func sinkBuffers() -> UnsafeMutablePointer<UnsafeMutablePointer<Float>?> {
    plan.pointee.structure.pointee.sinkBuffers
  }
}
