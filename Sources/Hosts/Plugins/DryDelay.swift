import EffectBlocks

/// The unprocessed sound, as late as the processed one.
///
/// The sound thread alone uses it while the effect runs.
final class DryDelay {
  private let channels: Int
  private let history: ChannelBuffers
  private var place = 0

  private static let length = 2 * EffectLimits.latency

  init(channels: Int) {
    self.channels = channels
    history = ChannelBuffers(channels: channels, frames: Self.length)
  }

  /// Takes a block and gives the one of `latency` frames before.
  func pass(_ input: ChannelBuffers, to output: ChannelBuffers, frames: Int, latency: Int) {
    let mask = Self.length - 1
    for channel in 0..<channels {
      let (line, source, target) = (history[channel], input[channel], output[channel])
      for frame in 0..<frames { line[(place + frame) & mask] = source[frame] }
      for frame in 0..<frames { target[frame] = line[(place + frame - latency) & mask] }
    }
    place = (place + frames) & mask
  }
}
