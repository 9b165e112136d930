internal import Rings

/// Sources and sinks that are channels of rings. The kernel's caller sets the buffers of ports, and these functions those of rings.
extension KernelState {
  /// Points the buffers of sources and sinks into their rings, at the start of a period.
  ///
  /// A source that lacks frames is silent from there on. A ring without room for the whole period gets nothing of the period.
  @inline(never) @_noLocks
  func aimRings(frames: Int) {
    let structure = plan.pointee.structure
    for index in 0..<structure.pointee.ringCount {
      let use = structure.pointee.rings + index
      if use.pointee.isSource {
        aimSources(use, frames: frames)
      } else {
        aimSinks(use, frames: frames)
      }
    }
  }

  /// Gives the frames of the period to the rings' other threads, at the end of the period: one position for each ring.
  @inline(never) @_noLocks
  func commitRings() {
    let structure = plan.pointee.structure
    for index in 0..<structure.pointee.ringCount {
      let use = structure.pointee.rings + index
      guard use.pointee.frames > 0 else { continue }
      if use.pointee.isSource {
        use.pointee.ring.pointee.endReading(frames: use.pointee.frames)
      } else {
        use.pointee.ring.pointee.endWriting(frames: use.pointee.frames)
      }
    }
  }

  @_noLocks
  private func aimSources(_ use: UnsafeMutablePointer<RingUse>, frames: Int) {
    let (ring, buffers) = (use.pointee.ring, plan.pointee.structure.pointee.sourceBuffers)
    let there = ring.pointee.beginReading(frames: frames)
    use.pointee.frames = there
    for index in 0..<use.pointee.lineCount {
      let line = use.pointee.lines[index]
      if there == frames {
        buffers[line.index] = ring.pointee.readPointer(channel: line.channel)
      } else if there == 0 {
        buffers[line.index] = nil
      } else {
        buffers[line.index] = ring.pointee.patch(channel: line.channel, there: there, frames: frames)
      }
    }
  }

  @_noLocks
  private func aimSinks(_ use: UnsafeMutablePointer<RingUse>, frames: Int) {
    let (ring, buffers) = (use.pointee.ring, plan.pointee.structure.pointee.sinkBuffers)
    let fits = ring.pointee.beginWriting(frames: frames)
    use.pointee.frames = fits ? frames : 0
    for index in 0..<use.pointee.lineCount {
      let line = use.pointee.lines[index]
      if line.index >= 0 {
        buffers[line.index] = fits ? ring.pointee.writePointer(channel: line.channel) : nil
      } else if fits {
        ring.pointee.writeSilence(channel: line.channel, frames: frames)
      }
    }
  }
}
