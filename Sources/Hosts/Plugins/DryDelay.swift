import EffectBlocks

/// The unprocessed sound, as late as the processed one.
///
/// The sound thread alone uses it while the effect runs. Its memory is not written before there is a latency, so that the system gives none to
/// the many plugins that could have one and have none.
final class DryDelay {
  private let channels: Int
  private let history: UnsafeMutablePointer<Float>
  /// Frames that were taken since there is a latency.
  private var taken = 0

  /// Frames of a channel's history, a power of two: the longest latency and the longest block.
  private static let length = 2 * EffectLimits.latency

  init(channels: Int) {
    self.channels = channels
    history = .allocate(capacity: channels * Self.length)
  }

  deinit { history.deallocate() }

  /// Takes a block and gives the one of `latency` frames before; silence before the first one.
  func pass(_ input: ChannelBuffers, to output: ChannelBuffers, frames: Int, latency: Int) {
    let mask = Self.length - 1
    for channel in 0..<channels {
      let (line, source, target) = (history + channel * Self.length, input[channel], output[channel])
      for frame in 0..<frames { line[(taken + frame) & mask] = source[frame] }
      for frame in 0..<frames {
        let place = taken + frame - latency
        target[frame] = place < 0 ? 0 : line[place & mask]
      }
    }
    taken += frames
  }

  /// There is no latency any more.
  func forget() { taken = 0 }
}
