/// The mean products of channels over the last 0.3 s, in steps of 10 ms: their power, and what two of them have in common.
public struct SlidingProducts {
  private let channelCount: Int
  /// Frames of a step.
  private let stepFrames: Int
  /// The sums of each step: the squares of each channel, and last the products of the first two.
  private var steps: [[Double]]
  private var next = 0
  /// The sums of the step that is not complete yet.
  private var sums: [Double]
  private var frames = 0

  private static let stepCount = 30

  /// - Parameter sampleRate: in Hz.
  public init(channels: Int, sampleRate: Int) {
    (channelCount, stepFrames) = (channels, max(1, sampleRate / 100))
    sums = Array(repeating: 0, count: channels + 1)
    steps = Array(repeating: sums, count: Self.stepCount)
  }

  /// Adds interleaved frames.
  public mutating func add(_ samples: UnsafePointer<Float>, frames count: Int) {
    var (place, left) = (samples, count)
    while left > 0 {
      let piece = min(left, stepFrames - frames)
      for channel in 0..<channelCount {
        sums[channel] += Self.product(place + channel, place + channel, frames: piece, stride: channelCount)
      }
      if channelCount > 1 {
        sums[channelCount] += Self.product(place, place + 1, frames: piece, stride: channelCount)
      }
      place += piece * channelCount
      left -= piece
      frames += piece
      if frames == stepFrames { endStep() }
    }
  }

  private mutating func endStep() {
    steps[next] = sums
    next = (next + 1) % Self.stepCount
    for index in sums.indices { sums[index] = 0 }
    frames = 0
  }

  private static func product(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int, stride: Int
  ) -> Double {
    var sum: Float = 0
    for frame in 0..<frames { sum += left[frame * stride] * right[frame * stride] }
    return Double(sum)
  }

  private func sum(_ index: Int) -> Double { steps.reduce(0) { $0 + $1[index] } }

  /// The root of the mean square of a channel. Full scale is 1.
  public func rms(ofChannel channel: Int) -> Double {
    (sum(channel) / Double(Self.stepCount * stepFrames)).squareRoot()
  }

  /// The correlation of the first two channels: 1 for the same sound, -1 for the opposite, 0 for sounds that have nothing in common, and
  /// for silence.
  public var correlation: Double {
    let power = (sum(0) * sum(1)).squareRoot()
    return power > 1e-12 ? min(1, max(-1, sum(channelCount) / power)) : 0
  }
}
