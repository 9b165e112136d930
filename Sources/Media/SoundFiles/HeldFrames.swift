/// Frames that were decoded and not yet given away, interleaved.
struct HeldFrames {
  private var samples: [Float] = []
  /// The first frame that is held.
  private var start = 0
  private(set) var count = 0
  let channels: Int

  init(channels: Int) { self.channels = channels }

  /// Appends up to `frames` frames, which `read` writes. Returns their number.
  mutating func append(_ frames: Int, _ read: (UnsafeMutablePointer<Float>) -> Int) -> Int {
    if start > 0 {
      samples.withUnsafeMutableBufferPointer { samples in
        guard let base = samples.baseAddress else { return }
        base.update(from: base + start * channels, count: count * channels)
      }
      start = 0
    }
    let needed = (count + frames) * channels
    if samples.count < needed { samples += [Float](repeating: 0, count: needed - samples.count) }
    let added = samples.withUnsafeMutableBufferPointer {
      $0.baseAddress.map { read($0 + count * channels) } ?? 0
    }
    count += added
    return added
  }

  /// Gives the first frames away. There must be so many.
  mutating func take(_ frames: Int, into target: UnsafeMutablePointer<Float>) {
    samples.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      target.update(from: base + start * channels, count: frames * channels)
    }
    start += frames
    count -= frames
  }

  mutating func removeLast(_ frames: Int) { count -= frames }

  /// Lets the last frames fall to silence.
  mutating func fadeOut(_ frames: Int) {
    let length = min(frames, count)
    for index in 0..<length {
      let gain = Float(length - 1 - index) / Float(length)
      for channel in 0..<channels { samples[(start + count - length + index) * channels + channel] *= gain }
    }
  }

  mutating func clear() { (start, count) = (0, 0) }
}
