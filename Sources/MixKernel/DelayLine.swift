internal import MixLoops
internal import MixLoopsV3

/// The past of one sink, and how far back it is heard.
///
/// The control side makes and frees it; everything in between is the audio thread's.
package struct DelayLine: BitwiseCopyable {
  /// A ring of this many samples: the longest delay and one block.
  package var capacity: Int
  package var samples: UnsafeMutablePointer<Float>
  /// Where the next block goes.
  package var position = 0
  /// Delay in frames that is heard, or was before the crossfade under way.
  package var delay = 0
  /// Delay in frames that is faded to.
  package var nextDelay = 0
  /// Frames of the crossfade that are over.
  package var elapsed = 0
  /// Length of a crossfade in frames.
  package var fadeFrames: Int
  /// Frames of the line's beginning that are written; they fade in, because a line that begins amid sound has no past, and its
  /// first sample would be heard as a step one delay later.
  package var begun = 0

  package init(capacity: Int, samples: UnsafeMutablePointer<Float>, fadeFrames: Int) {
    (self.capacity, self.samples, self.fadeFrames) = (capacity, samples, fadeFrames)
  }

  /// Delays a block in place; a change of the delay fades from the old one to the new one.
  /// - Parameters:
  ///   - wanted: delay in frames, at most the capacity less one block. A change during a fade waits for its end.
  ///   - other: room for one block.
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
    // Without a delay yet, what is heard is the block itself.
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

  /// Copies a block of the line's beginning, faded in.
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

  /// Puts a block into the ring.
  @_noLocks
  private func write(_ block: UnsafeMutablePointer<Float>, frames: Int) {
    let first = min(frames, capacity &- position)
    UnsafeMutableRawPointer(samples + position).copyMemory(from: block, byteCount: first &* 4)
    UnsafeMutableRawPointer(samples).copyMemory(from: block + first, byteCount: (frames &- first) &* 4)
  }

  /// Takes the block that ends `delay` frames before the one just written does.
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
