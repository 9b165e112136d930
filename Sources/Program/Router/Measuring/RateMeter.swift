/// Measures the rate of a server from the times at which its periods began. It has no clock of its own.
///
/// A period may begin late, but never early. So of each half second only the sample counts that is least late. The rate is the slope of the
/// line through the samples of 10 s. A jump, such as an overrun or a sleep of the machine, begins a new part of the line: parts have one slope
/// and places of their own, so that a jump never counts as a deviation of the clock.
struct RateMeter {
  private struct Sample {
    /// Frames of the server, and the time in seconds.
    var (frames, time): (Double, Double)
    var part: Int
  }

  /// The rate in Hz that the server claims.
  let nominal: Double
  private var samples: [Sample] = []
  /// The sample of the present half second that is least late, and when the half second began.
  private var best: Sample?
  private var slotBegin = 0.0
  private var part = 0
  /// The rate against which the samples of a half second are compared: the measured one, as soon as there is one.
  private var reference: Double

  /// Seconds of a slot, and of all samples that count.
  private static let (slot, window) = (0.5, 10.0)
  /// Seconds by which a slot may be later or earlier than the one before, beside a twentieth of the time between them.
  private static let tolerance = 0.02
  /// The sum of the squared distances of all samples in time that a rate needs, in s²: that of about 5 s without a jump.
  private static let leastSpread = 20.0

  /// - Parameter nominal: in Hz.
  init(nominal: Double) { (self.nominal, reference) = (nominal, nominal) }

  /// Notes when a period began.
  /// - Parameters:
  ///   - frames: frames that the server had run before it, from any beginning.
  ///   - time: seconds of a clock that never jumps back.
  mutating func note(frames: Double, time: Double) {
    let sample = Sample(frames: frames, time: time, part: part)
    guard let known = best, time - slotBegin < Self.slot, time >= slotBegin else {
      closeSlot()
      (best, slotBegin) = (sample, time)
      return
    }
    if lateness(sample) < lateness(known) { best = sample }
  }

  /// Notes that frames or time were lost: what comes is not compared with what was.
  mutating func skip() {
    closeSlot()
    part += 1
  }

  /// The measured rate in Hz; nil while there are too few samples without a jump.
  var rate: Double? {
    var (products, squares) = (0.0, 0.0)
    var rest = samples[...]
    while let first = rest.first {
      let samples = rest.prefix { $0.part == first.part }
      rest = rest.dropFirst(samples.count)
      let count = Double(samples.count)
      // Relative to the first sample, so that no digits are lost.
      let (times, frames) = (samples.map { $0.time - first.time }, samples.map { $0.frames - first.frames })
      let (middle, center) = (times.reduce(0, +) / count, frames.reduce(0, +) / count)
      for (time, frame) in zip(times, frames) {
        squares += (time - middle) * (time - middle)
        products += (time - middle) * (frame - center)
      }
    }
    return squares >= Self.leastSpread ? products / squares : nil
  }

  private func lateness(_ sample: Sample) -> Double { sample.time - sample.frames / reference }

  private mutating func closeSlot() {
    guard var sample = best.take() else { return }
    if let last = samples.last, last.part == sample.part {
      let passed = sample.time - last.time
      if abs(lateness(sample) - lateness(last)) > Self.tolerance + passed / 20 || passed > 4 * Self.slot {
        part += 1
        sample.part = part
      }
    }
    samples.append(sample)
    samples.removeAll { sample.time - $0.time > Self.window }
    reference = rate ?? nominal
  }
}
