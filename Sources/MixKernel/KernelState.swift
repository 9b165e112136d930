internal import CRealtime

/// The audio thread's own state; all its functions are made for that thread and neither block, allocate nor free.
///
/// A period goes like this: `adopt()` takes the newest plan, the caller then sets the buffer of every source and sink of that
/// plan, and `run(frames:)` mixes. Periods may have any length and another one each time. `MixEngine` makes the state and
/// frees it; it must outlive the last period.
public struct KernelState: ~Copyable {
  /// What is shared with the control side.
  public let exchange: UnsafeMutablePointer<Exchange>
  /// The plan in use.
  var plan: UnsafeMutablePointer<Plan>
  /// Running stages.
  var memory: UnsafeMutablePointer<StageMemory>
  /// Whether to use the loops for newer processors.
  let newer: Bool
  /// Whether to use the matrix loops for processors with AVX-512.
  let widest: Bool
  /// Room for one group of sinks.
  let scratch: Scratch
  /// Ramps under way.
  var rampCount = 0
  /// Frames of a block while anything moves; the faster it moves, the fewer.
  var rampBlock: Int32 = 0
  /// Whether a ramp began or ended since the groups were last marked.
  var rampsChanged = false
  /// Whether any moving stage belongs to a row or a sink, not just to crosspoints.
  var sharedStageMoves = false
  /// Frames processed since the start.
  var frames: UInt64 = 0
  /// The early level that was followed last, and its number until a plan has decided on it, then 0.
  var early = EarlyLevel(stage: 0, identity: 0, target: 0, frames: 1)
  var earlySerial: UInt64 = 0
  /// What the next telemetry record will say.
  var tally = Tally()
  /// Frames between telemetry records.
  let telemetryInterval: Int

  /// Takes memory that the control side made; `plan` is adopted at once.
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

  /// Sources of the plan in use.
  @_noLocks
  public func sourceCount() -> Int { plan.pointee.structure.pointee.sourceCount }

  /// Sinks of the plan in use.
  @_noLocks
  public func sinkCount() -> Int { plan.pointee.structure.pointee.sinkCount }

  /// The port of each source, as `PortHandle.rawValue`, in the order of the structure.
  @_noLocks
  public func sourceHandles() -> UnsafePointer<UInt> {
    UnsafePointer(plan.pointee.structure.pointee.sourceHandles)
  }

  /// The port of each sink, as `PortHandle.rawValue`, in the order of the structure.
  @_noLocks
  public func sinkHandles() -> UnsafePointer<UInt> {
    UnsafePointer(plan.pointee.structure.pointee.sinkHandles)
  }

  /// Where the caller writes, for each source, where its samples of this period are; nil is silence.
  ///
  /// Entries hold until they are written again or the structure changes.
  @_noLocks
  public func sourceBuffers() -> UnsafeMutablePointer<UnsafePointer<Float>?> {
    plan.pointee.structure.pointee.sourceBuffers
  }

  /// Where the caller writes, for each sink, where its samples of this period go; with nil they are measured and dropped.
  ///
  /// Entries hold until they are written again or the structure changes. A buffer may be a source's too.
  @_noLocks
  public func sinkBuffers() -> UnsafeMutablePointer<UnsafeMutablePointer<Float>?> {
    plan.pointee.structure.pointee.sinkBuffers
  }
}
