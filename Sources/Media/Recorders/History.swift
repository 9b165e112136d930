/// What was heard before a recording: the newest frames, interleaved, up to a number of them.
struct History {
  private let width: Int
  private var room = 0
  private var samples: [Float] = []
  /// The place of the next frame; older frames follow it.
  private var next = 0
  /// Frames that are there.
  private(set) var count = 0

  init(width: Int) { self.width = width }

  /// Sets how many frames are kept. Another number forgets all.
  mutating func setRoom(_ frames: Int) {
    guard frames != room else { return }
    (room, next, count) = (frames, 0, 0)
    samples = [Float](repeating: 0, count: frames * width)
  }

  mutating func add(_ added: UnsafePointer<Float>, frames: Int) {
    guard room > 0 else { return }
    for frame in max(0, frames - room)..<frames {
      for channel in 0..<width { samples[next * width + channel] = added[frame * width + channel] }
      next = next + 1 == room ? 0 : next + 1
    }
    count = min(room, count + frames)
  }

  mutating func addSilence(frames: Int) {
    let silence = [Float](repeating: 0, count: width)
    for _ in 0..<min(frames, room) { silence.withUnsafeBufferPointer { add($0.baseAddress!, frames: 1) } }
  }

  /// Takes all frames, in order, as one or two pieces.
  mutating func take() -> [[Float]] {
    defer { (next, count) = (0, 0) }
    guard count > 0 else { return [] }
    let start = next - count
    if start >= 0 { return [Array(samples[start * width..<next * width])] }
    return [Array(samples[(start + room) * width..<room * width]), Array(samples[..<(next * width)])]
  }
}
