public import StageKit

/// Distinguishes gaps in a sound that the audio server caused from those that the program under test caused.
///
/// A server without processor time in time skips periods. Its clients then receive a period late or not at
/// all. A recording shows every such place as a jump of the server's frame time. A gap within two periods of
/// a jump is excused. Nothing else is: no gap elsewhere, and no sample that is louder than the played one.
public struct Continuity: Sendable {
  /// Periods before and after a jump in which a gap is the server's: the period that came late, and the one
  /// after it.
  public static let reach = 2
  /// Periods at either end of a recording whose frames are not judged: a jump before the recording reaches `reach` of them, and a jump that
  /// reaches behind them is judged by frames that are as far before it.
  public static let margin = 2 * reach + 1

  /// The stretches of the recording in which a gap is excused, in frames, in order and without overlaps.
  public let stretches: [Range<Int>]

  /// - Parameters:
  ///   - jumps: the jumps of the server's frame time, in order. Those long before the first frame excuse nothing.
  ///   - period: the server's period in frames.
  public init(jumps: [ClockJump], period: Int) {
    var stretches: [Range<Int>] = []
    for jump in jumps where jump.frame + Self.reach * period > 0 {
      let stretch = max(0, jump.frame - Self.reach * period)..<jump.frame + Self.reach * period
      if let last = stretches.last, last.upperBound >= stretch.lowerBound {
        stretches[stretches.count - 1] = last.lowerBound..<max(last.upperBound, stretch.upperBound)
      } else {
        stretches.append(stretch)
      }
    }
    self.stretches = stretches
  }

  /// The result of a comparison of two signals.
  public struct Verdict: Equatable, Sendable {
    /// The first frame that differs without an excuse.
    public var fault: Int?
    /// The stretches in which a difference is excused.
    public var excused: [Range<Int>] = []

    public init(fault: Int? = nil, excused: [Range<Int>] = []) {
      (self.fault, self.excused) = (fault, excused)
    }
  }

  /// Compares the recorded signal with the expected one, bit for bit.
  ///
  /// In a stretch of a jump, a different sample is excused only if the server can have made it: silence, or a
  /// sample between the softest and the loudest expected sample of the stretch. For a source that counts
  /// frames that is exact to some hundredths of a dB.
  ///
  /// - Parameter judged: the frames that are compared; nil for all.
  public func compare(_ heard: [Float], with wanted: [Float], in judged: Range<Int>? = nil) -> Verdict {
    var verdict = Verdict()
    for frame in judged ?? 0..<min(heard.count, wanted.count)
    where heard[frame].bitPattern != wanted[frame].bitPattern {
      guard let stretch = stretches.first(where: { $0.contains(frame) }) else {
        verdict.fault = frame
        return verdict
      }
      let neighbours = wanted[stretch.clamped(to: wanted.indices)]
      guard let lowest = neighbours.min(), let highest = neighbours.max(),
        heard[frame] == 0 || lowest...highest ~= heard[frame]
      else {
        verdict.fault = frame
        return verdict
      }
      if verdict.excused.last != stretch { verdict.excused.append(stretch) }
    }
    if heard.count != wanted.count { verdict.fault = min(heard.count, wanted.count) }
    return verdict
  }

  /// The first frame at which a frame-counting signal does not continue by one, without an excuse.
  public func breaks(inRamp samples: [Float]) -> Verdict {
    var verdict = Verdict()
    for frame in SignalCheck.breaks(inRamp: samples) {
      guard let stretch = stretches.first(where: { $0.contains(frame) }) else {
        verdict.fault = frame
        return verdict
      }
      if verdict.excused.last != stretch { verdict.excused.append(stretch) }
    }
    return verdict
  }

  /// The gains of a trace. Those in a stretch are replaced by the gain before and after it.
  ///
  /// A stretch in which the gain moves stays unchanged: a correct ramp there cannot be distinguished from a
  /// wrong one.
  public func mended(_ trace: GainTrace) -> (trace: GainTrace, excused: [Range<Int>]) {
    var gains = trace.gains
    var excused: [Range<Int>] = []
    for stretch in stretches {
      let (before, behind) = (stretch.lowerBound - 1, stretch.upperBound)
      guard gains.indices.contains(before), gains.indices.contains(behind),
        GainTrace.equal(gains[before], gains[behind]),
        gains[stretch].contains(where: { !GainTrace.equal($0, gains[before]) })
      else { continue }
      for frame in stretch { gains[frame] = gains[before] }
      excused.append(stretch)
    }
    return (GainTrace(gains: gains), excused)
  }

  /// The pieces of a recording between the stretches.
  ///
  /// - Parameter count: the number of frames in the recording.
  public func pieces(of count: Int) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start = 0
    for stretch in stretches {
      if start < min(stretch.lowerBound, count) { pieces.append(start..<min(stretch.lowerBound, count)) }
      start = max(start, stretch.upperBound)
    }
    if start < count { pieces.append(start..<count) }
    return pieces
  }
}
