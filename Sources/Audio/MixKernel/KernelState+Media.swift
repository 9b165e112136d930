internal import MediaKernel
internal import MixLoops
internal import MixLoopsV3
internal import VoiceKernel

/// Players, recorders and voice processing: sources that are channels of decks or processed microphones, and memory that receives sinks or
/// copies of them.
extension KernelState {
  /// Begins a period of all players and recorders, each with its newest order, and points the buffers of their channels to their memory.
  ///
  /// Every one of them gets the same frame as the period's beginning, so that orders for one frame take effect on that frame everywhere.
  @inline(never) @_noLocks
  func beginMedia(_ media: UnsafeMutablePointer<MediaUse>, frames count: Int, waits: Bool) {
    let time = Int(truncatingIfNeeded: frames)
    if let orders = plan.pointee.deckOrders {
      for index in 0..<media.pointee.deckCount {
        let use = media.pointee.decks + index
        use.pointee.pair.pointee.begin(orders[index], frames: count, time: time, waits: waits)
        aim(use)
      }
    }
    if let orders = plan.pointee.tapOrders {
      for index in 0..<media.pointee.tapCount {
        let use = media.pointee.taps + index
        use.pointee.tap.pointee.begin(orders[index], frames: count, time: time, waits: waits)
        aim(use, media.pointee.watches, frames: count)
      }
    }
    media.pointee.frames &+= count
  }

  /// Begins a period of all voice processings, and points the buffers of their channels to their memory.
  @inline(never) @_noLocks
  func beginVoices(_ media: UnsafeMutablePointer<MediaUse>, frames count: Int, waits: Bool) {
    for index in 0..<media.pointee.voiceCount {
      let use = media.pointee.voices + index
      use.pointee.node.pointee.begin(frames: count, waits: waits)
      aim(use, media.pointee.watches, frames: count)
    }
  }

  /// Gives the frames of the period to the threads that read and write files.
  @inline(never) @_noLocks
  func endMedia(_ media: UnsafeMutablePointer<MediaUse>) {
    for index in 0..<media.pointee.deckCount { media.pointee.decks[index].pair.pointee.end() }
    for index in 0..<media.pointee.tapCount { media.pointee.taps[index].tap.pointee.end() }
  }

  /// Gives the frames of the period to the threads that process voices.
  @inline(never) @_noLocks
  func endVoices(_ media: UnsafeMutablePointer<MediaUse>) {
    for index in 0..<media.pointee.voiceCount { media.pointee.voices[index].node.pointee.end() }
  }

  @_noLocks
  private func aim(_ use: UnsafeMutablePointer<DeckUse>) {
    let buffers = plan.pointee.structure.pointee.sourceBuffers
    for index in 0..<use.pointee.lineCount {
      let line = use.pointee.lines[index]
      buffers[line.source] = use.pointee.pair.pointee.samples(line.channel)
    }
  }

  @_noLocks
  private func aim(
    _ use: UnsafeMutablePointer<TapUse>, _ watches: UnsafeMutablePointer<SinkWatch>, frames: Int
  ) {
    for channel in 0..<use.pointee.lineCount {
      let samples = use.pointee.tap.pointee.samples(channel)
      aim(use.pointee.lines[channel], at: samples, watches, frames: frames)
    }
  }

  /// Points a sink or a copy to a channel's memory. A channel that neither writes is silent: its memory would still hold old samples.
  @_noLocks
  private func aim(
    _ line: SinkLine, at samples: UnsafeMutablePointer<Float>?, _ watches: UnsafeMutablePointer<SinkWatch>,
    frames: Int
  ) {
    if line.sink >= 0 {
      plan.pointee.structure.pointee.sinkBuffers[line.sink] = samples
    } else if line.copy >= 0 {
      watches[line.copy].copy = samples
    } else if let samples {
      samples.update(repeating: 0, count: frames)
    }
  }

  @_noLocks
  private func aim(
    _ use: UnsafeMutablePointer<VoiceUse>, _ watches: UnsafeMutablePointer<SinkWatch>, frames: Int
  ) {
    let (node, buffers) = (use.pointee.node, plan.pointee.structure.pointee.sourceBuffers)
    if use.pointee.source >= 0 { buffers[use.pointee.source] = node.pointee.sound() }
    aim(use.pointee.microphone, at: node.pointee.microphone(), watches, frames: frames)
    for channel in 0..<use.pointee.loudspeakerCount {
      let samples = node.pointee.loudspeaker(channel)
      aim(use.pointee.loudspeakers[channel], at: samples, watches, frames: frames)
    }
  }

  // MARK: A block

  /// Measures the players' sources of a block.
  @inline(never) @_noLocks
  func measureDecks(_ media: UnsafeMutablePointer<MediaUse>, frames: Int) {
    let packed = plan.pointee.structure.pointee.packed
    for index in 0..<media.pointee.deckSourceCount {
      let row = packed + media.pointee.deckSources[index] &* MixLoops.blockFrames
      media.pointee.squares[index] += power(row, frames: frames)
    }
  }

  /// Copies and measures the watched sinks of a group after its block is complete: delayed, with its gain, and limited.
  ///
  /// The block is complete wherever it was mixed, so a copy needs no buffer of the sink's port.
  @inline(never) @_noLocks
  func record(_ group: Int, of media: UnsafeMutablePointer<MediaUse>, offset: Int, frames: Int) {
    for index in media.pointee.watchStart[group]..<media.pointee.watchStart[group &+ 1] {
      let watch = media.pointee.watches[index]
      let block = scratch.outputs[watch.lane]
      if let copy = watch.copy {
        if let share = watch.share {
          for frame in 0..<frames { copy[offset &+ frame] += share * block[frame] }
        } else {
          UnsafeMutableRawPointer(copy + offset).copyMemory(from: block, byteCount: frames &* 4)
        }
      }
      if watch.square >= 0 { media.pointee.squares[watch.square] += power(block, frames: frames) }
    }
  }

  @_noLocks
  private func power(_ samples: UnsafePointer<Float>, frames: Int) -> Double {
    Double(
      newer
        ? MixLoopsV3.sumOfSquares(samples, frames: frames) : MixLoops.sumOfSquares(samples, frames: frames))
  }
}
