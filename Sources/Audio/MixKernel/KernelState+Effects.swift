internal import EffectKernel

/// Chains of effects: sources that are processed sound, memory that receives sinks, and sinks that go through a chain.
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
      for index in 0..<use.keyCount {
        let key = use.keys[index]
        media.pointee.watches[key.copy].copy = use.node.pointee.input(key.channel)
      }
    }
  }

  /// Has a block of a sink, behind its gains, go through the chain of effects that it has, and applies the gains behind the chain.
  @_noLocks
  func insert(_ sink: Int, _ row: UnsafeMutablePointer<Float>, offset: Int, frames: Int) {
    let structure = plan.pointee.structure
    let number = Int(structure.pointee.sinkInserts[sink])
    guard number >= 0 else { return }
    let use = structure.pointee.inserts + number
    use.pointee.node.pointee.insert(row, channel: use.pointee.channel, offset: offset, frames: frames)
    let (last, next) = (use.pointee.lastGain, use.pointee.gain)
    use.pointee.lastGain = next
    scale(row, frames: frames, from: last, middle: use.pointee.middleGain, to: next)
  }

  /// Gives the period's inputs to the programs that process them.
  @inline(never) @_noLocks
  func endEffects(_ media: UnsafeMutablePointer<MediaUse>) {
    for index in 0..<media.pointee.effectCount {
      let use = media.pointee.effects[index]
      use.node.pointee.end(hearsSide: use.sinkCount > use.sourceCount)
      if use.asks { use.node.pointee.ask() }
    }
  }
}
