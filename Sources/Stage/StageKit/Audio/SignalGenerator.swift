import Maths

/// Generates one channel of a signal on the audio thread, without allocations or library calls.
struct SignalGenerator: ~Copyable {
  private enum Kind {
    case silence, sine, ramp, impulse, loop
  }
  private let kind: Kind
  /// Index of the next frame: of the counter, since the last impulse, or in the loop.
  private var position: Int
  private let length: Int
  private let samples: UnsafeMutablePointer<Float>?
  private let amplitude: Double
  /// A unit vector that `step` rotates once for each frame.
  private var turn = (cosine: 1.0, sine: 0.0)
  private let step: (cosine: Double, sine: Double)

  /// Prepares a channel. Not for the audio thread.
  /// - Parameter sampleRate: Hz.
  init(_ signal: Signal, sampleRate: Int) {
    var (kind, position, length) = (Kind.silence, 0, 1)
    var samples: UnsafeMutablePointer<Float>?
    var (amplitude, angle) = (0.0, 0.0)
    switch signal {
    case .silence: break
    case .sine(let frequency, let level):
      kind = .sine
      amplitude = pow(10, level / 20)
      angle = 2 * Double.pi * frequency / Double(sampleRate)
    case .ramp(let start): (kind, position) = (.ramp, start)
    case .impulse(let every): (kind, length) = (.impulse, max(1, every))
    case .loop(let values) where values.isEmpty: break
    case .loop(let values):
      (kind, length) = (.loop, values.count)
      let copy = UnsafeMutablePointer<Float>.allocate(capacity: values.count)
      for (index, value) in values.enumerated() { (copy + index).initialize(to: value) }
      samples = copy
    }
    (self.kind, self.position, self.length, self.samples) = (kind, position, length, samples)
    self.amplitude = amplitude
    step = (cos(angle), sin(angle))
  }

  deinit { samples?.deallocate() }

  /// Fills one period.
  @_noLocks mutating func render(into output: UnsafeMutablePointer<Float>, frames: Int) {
    switch kind {
    case .silence:
      for index in 0..<frames { output[index] = 0 }
    case .sine: renderSine(into: output, frames: frames)
    case .ramp:
      for index in 0..<frames { output[index] = Float((position &+ index) & 0xFF_FFFF) / 16_777_216 }
      position = (position &+ frames) & 0xFF_FFFF
    case .impulse:
      for index in 0..<frames {
        output[index] = position == 0 ? 1 : 0
        position = position + 1 == length ? 0 : position + 1
      }
    case .loop:
      guard let samples else { return }
      for index in 0..<frames {
        output[index] = samples[position]
        position = position + 1 == length ? 0 : position + 1
      }
    }
  }

  @_noLocks private mutating func renderSine(into output: UnsafeMutablePointer<Float>, frames: Int) {
    var (cosine, sine) = turn
    for index in 0..<frames {
      output[index] = Float(amplitude * sine)
      (cosine, sine) = (
        cosine * step.cosine - sine * step.sine, sine * step.cosine + cosine * step.sine
      )
    }
    // One step of Newton's method for 1/length keeps the vector's length at 1 in spite of rounding errors.
    let correction = 1.5 - 0.5 * (cosine * cosine + sine * sine)
    turn = (cosine * correction, sine * correction)
  }
}
