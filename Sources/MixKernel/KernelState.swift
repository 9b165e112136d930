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
  /// Room for one block.
  let spare: UnsafeMutablePointer<Float>
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
  /// What the next telemetry record will say.
  var tally = Tally()
  /// Frames between telemetry records.
  let telemetryInterval: Int

  /// Takes memory that the control side made; `plan` is adopted at once.
  package init(
    exchange: UnsafeMutablePointer<Exchange>, plan: UnsafeMutablePointer<Plan>, newer: Bool,
    spare: UnsafeMutablePointer<Float>, telemetryInterval: Int
  ) {
    self.exchange = exchange
    self.plan = plan
    memory = plan.pointee.memory
    self.newer = newer
    self.spare = spare
    self.telemetryInterval = telemetryInterval
  }

  /// The plan in use, for the control side once the audio thread has stopped.
  package var lastPlan: UnsafeMutablePointer<Plan> { plan }

  /// Sources of the plan in use.
  @_noLocks
  public func sourceCount() -> Int { plan.pointee.structure.pointee.sourceCount }

  /// Sinks of the plan in use.
  @_noLocks
  public func sinkCount() -> Int { plan.pointee.structure.pointee.sinkCount }

  /// The port of a source, as `PortHandle.rawValue`; `index` is below `sourceCount()`.
  @_noLocks
  public func sourceHandle(_ index: Int) -> UInt { plan.pointee.structure.pointee.sourceHandles[index] }

  /// The port of a sink, as `PortHandle.rawValue`; `index` is below `sinkCount()`.
  @_noLocks
  public func sinkHandle(_ index: Int) -> UInt { plan.pointee.structure.pointee.sinkHandles[index] }

  /// Says where a source's samples of this period are; nil is silence. It holds until it is set again or the structure
  /// changes.
  @_noLocks
  public func setSourceBuffer(_ index: Int, _ buffer: UnsafePointer<Float>?) {
    plan.pointee.structure.pointee.sourceBuffers[index] = buffer
  }

  /// Says where a sink's samples of this period go; with nil they are measured and dropped. It holds until it is set again
  /// or the structure changes. The buffer may be a source's too.
  @_noLocks
  public func setSinkBuffer(_ index: Int, _ buffer: UnsafeMutablePointer<Float>?) {
    plan.pointee.structure.pointee.sinkBuffers[index] = buffer
  }
}
