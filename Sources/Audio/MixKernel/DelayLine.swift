internal import MixLoops
internal import MixLoopsV3

/// A ring with the past samples of one sink, from which the sink is heard later by its delay.
///
/// The control side makes and frees it; in between only the audio thread uses it.
package struct DelayLine: BitwiseCopyable {
  /// Length of the ring in samples: the longest delay and one block.
  package var capacity: Int
  package var samples: UnsafeMutablePointer<Float>
  /// Index at which the next block is written.
  package var position = 0
  /// Present delay in frames; during a crossfade, the old delay.
  package var delay = 0
  /// Delay in frames at the end of the crossfade; equal to `delay` if none runs.
  package var nextDelay = 0
  /// Frames of the crossfade that have passed.
  package var elapsed = 0
  /// Length of a crossfade in frames.
  package var fadeFrames: Int
  /// Frames written since the line began, counted up to `fadeFrames`. These frames fade in: the sink may have sounded before the line
  /// began, and without a fade the first sample would be heard as a step, one delay later.
  package var begun = 0

  package init(capacity: Int, samples: UnsafeMutablePointer<Float>, fadeFrames: Int) {
    (self.capacity, self.samples, self.fadeFrames) = (capacity, samples, fadeFrames)
  }

  /// Delays a block in place. If the delay changes, the block crossfades from the old delay to the new one.
  /// - Parameters:
  ///   - wanted: delay in frames, at most the capacity less one block. A change during a crossfade waits for its end.
  ///   - other: memory for one block.
  @_noLocks
  package mutating func process(
    _ block: UnsafeMutablePointer<Float>, frames: Int, wanted: Int, newer: Bool,
    other: UnsafeMutablePointer<Float>
  ) {
    let isBeginning = begun < fadeFrames
    if isBeginning {
      fadeIn(block, frames: frames, into: other)
      write(other, frames: frames)
    } else {
      write(block, frames: frames)
    }
    if nextDelay == delay, wanted != delay { (nextDelay, elapsed) = (wanted, 0) }
    // While there is no delay yet, the block itself is heard.
    if !isBeginning || delay > 0 { read(block, frames: frames, delay: delay) }
    if nextDelay != delay {
      read(other, frames: frames, delay: nextDelay)
      let step = 1 / Float(Int32(truncatingIfNeeded: fadeFrames))
      if newer {
        MixLoopsV3.crossfade(block, to: other, frames: frames, elapsed: elapsed, step: step)
      } else {
        MixLoops.crossfade(block, to: other, frames: frames, elapsed: elapsed, step: step)
      }
      elapsed &+= frames
      if elapsed >= fadeFrames { delay = nextDelay }
    }
    position = wrapped(position &+ frames)
  }

  /// Copies a block and fades it in, at the line's beginning.
  @_noLocks
  private mutating func fadeIn(
    _ block: UnsafeMutablePointer<Float>, frames: Int, into copy: UnsafeMutablePointer<Float>
  ) {
    let step = 1 / Float(Int32(truncatingIfNeeded: fadeFrames))
    for frame in 0..<frames {
      let elapsed = Int32(truncatingIfNeeded: min(begun &+ frame, fadeFrames))
      copy[frame] = block[frame] * (Float(elapsed) * step)
    }
    begun &+= frames
  }

  /// Writes a block into the ring.
  @_noLocks
  private func write(_ block: UnsafeMutablePointer<Float>, frames: Int) {
    let first = min(frames, capacity &- position)
    UnsafeMutableRawPointer(samples + position).copyMemory(from: block, byteCount: first &* 4)
    UnsafeMutableRawPointer(samples).copyMemory(from: block + first, byteCount: (frames &- first) &* 4)
  }

  /// Reads the block that is `delay` frames older than the one just written.
  @_noLocks
  private func read(_ block: UnsafeMutablePointer<Float>, frames: Int, delay: Int) {
    let start = wrapped(position &- delay &+ capacity)
    let first = min(frames, capacity &- start)
    UnsafeMutableRawPointer(block).copyMemory(from: samples + start, byteCount: first &* 4)
    UnsafeMutableRawPointer(block + first).copyMemory(from: samples, byteCount: (frames &- first) &* 4)
  }

  @_noLocks
  private func wrapped(_ position: Int) -> Int { position >= capacity ? position &- capacity : position }
}
