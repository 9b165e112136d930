import Foundation

/// The gain of a recorded sound, frame by frame.
public struct GainTrace {
  public let gains: [Double]

  public init(gains: [Double]) { self.gains = gains }

  /// Divides the recorded signal by the played one.
  ///
  /// A source that counts frames crosses zero once in a long while. Silence there counts as the gain of the
  /// frame before.
  public init(_ heard: [Float], of played: [Float]) {
    var gains: [Double] = []
    gains.reserveCapacity(heard.count)
    for (heard, played) in zip(heard, played) {
      let isPassingZero = played == 0 && heard == 0
      gains.append(isPassingZero ? gains.last ?? 0 : Double(heard) / Double(played))
    }
    self.gains = gains
  }

  /// The factor of a gain in dB.
  public static func amplitude(_ decibels: Double) -> Double { decibels <= -90 ? 0 : pow(10, decibels / 20) }

  /// A raised cosine from 0 to 1.
  public static func raisedCosine(_ way: Double) -> Double { 0.5 - 0.5 * cos(.pi * way) }

  /// The largest rounding error of a single-precision product.
  private static let rounding = 4e-7

  /// Whether two gains are equal except for rounding. Silence equals only silence.
  public static func equal(_ left: Double, _ right: Double) -> Bool {
    right == 0 ? left == 0 : abs(left - right) <= rounding * right
  }

  /// Whether all frames have one gain in dB, also at the zero crossings.
  public static func equalEverywhere(_ heard: [Float], _ played: [Float], at decibels: Double) -> Bool {
    zip(heard, played).allSatisfy {
      abs(Double($0) - Double($1) * amplitude(decibels)) <= rounding * abs(Double($1))
    }
  }

  /// The frame at which the gain leaves its first value, and the frame from which it keeps its last value.
  public func move(from first: Double, to last: Double) -> Range<Int>? {
    guard let start = gains.firstIndex(where: { !Self.equal($0, first) }),
      let end = gains.lastIndex(where: { !Self.equal($0, last) }), start <= end
    else { return nil }
    return start..<end + 1
  }

  /// The largest distance of some frames from a curve.
  ///
  /// - Parameter curve: the amplitude at a position 0...1 of the curve, which takes `frames` frames.
  public func farthest(in move: Range<Int>, frames: Int, from curve: (Double) -> Double) -> Double {
    var worst = 0.0
    for (index, gain) in gains[move].enumerated() {
      worst = max(worst, abs(gain - curve(min(1, Double(index + 1) / Double(frames)))))
    }
    return worst
  }

  /// The largest step between neighbouring frames.
  public var largestStep: Double { zip(gains, gains.dropFirst()).map { abs($0 - $1) }.max() ?? 0 }
}
