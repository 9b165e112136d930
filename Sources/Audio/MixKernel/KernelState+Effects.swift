internal import EffectKernel

/// Chains of effects: sources that are processed sound, and memory that receives sinks.
extension KernelState {
  /// Begins a period of all chains, and points the buffers of their channels to their memory.
  @inline(never) @_noLocks
  func beginEffects(_ media: UnsafeMutablePointer<MediaUse>, frames count: Int, waits: Bool) {
    let structure = plan.pointee.structure
    let (sources, sinks) = (structure.pointee.sourceBuffers, structure.pointee.sinkBuffers)
    for index in 0..<media.pointee.effectCount {
      let use = media.pointee.effects[index]
      use.node.pointee.begin(frames: count, waits: waits)
      for channel in 0..<use.sourceCount where use.sources[channel] >= 0 {
        sources[use.sources[channel]] = UnsafePointer(use.node.pointee.sound(channel))
      }
      for channel in 0..<use.sinkCount {
        let samples = use.node.pointee.input(channel)
        if use.sinks[channel] >= 0 {
          sinks[use.sinks[channel]] = samples
        } else {
          // The memory would still hold old samples.
          samples.update(repeating: 0, count: count)
        }
      }
    }
  }

  /// Gives the period's inputs to the programs that process them.
  @inline(never) @_noLocks
  func endEffects(_ media: UnsafeMutablePointer<MediaUse>) {
    for index in 0..<media.pointee.effectCount {
      let use = media.pointee.effects[index]
      use.node.pointee.end()
      if use.asks { use.node.pointee.ask() }
    }
  }
}
