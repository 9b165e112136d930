/// Memory for some channels of a block. It is freed with the last reference.
///
/// Unchecked: one thread at a time uses it.
final class ChannelBuffers: @unchecked Sendable {
  let channels: Int
  let frames: Int
  private let samples: UnsafeMutablePointer<Float>

  init(channels: Int, frames: Int) {
    (self.channels, self.frames) = (channels, frames)
    samples = .allocate(capacity: max(1, channels * frames))
    samples.initialize(repeating: 0, count: max(1, channels * frames))
  }

  deinit { samples.deallocate() }

  subscript(channel: Int) -> UnsafeMutablePointer<Float> { samples + channel * frames }
}
