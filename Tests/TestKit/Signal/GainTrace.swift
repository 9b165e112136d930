import Foundation

/// The gain that something was heard with, frame by frame.
public struct GainTrace {
  public let gains: [Double]

  public init(gains: [Double]) { self.gains = gains }

  /// Divides what was heard by what was played.
  ///
  /// A source that counts frames passes through zero once in a long while; silence there is heard at the gain of the frame before.
  public init(_ heard: [Float], of played: [Float]) {
    var gains: [Double] = []
    gains.reserveCapacity(heard.count)
    for (heard, played) in zip(heard, played) {
      let isPassingZero = played == 0 && heard == 0
      gains.append(isPassingZero ? gains.last ?? 0 : Double(heard) / Double(played))
    }
    self.gains = gains
  }

  /// What a gain in dB multiplies by.
  public static func amplitude(_ decibels: Double) -> Double { decibels <= -90 ? 0 : pow(10, decibels / 20) }

  /// A raised cosine from 0 to 1.
  public static func raisedCosine(_ way: Double) -> Double { 0.5 - 0.5 * cos(.pi * way) }

  /// How far a single-precision product may be from the exact one.
  private static let rounding = 4e-7

  /// Whether two gains are the same but for rounding; what is silent must be silent.
  public static func equal(_ left: Double, _ right: Double) -> Bool {
    right == 0 ? left == 0 : abs(left - right) <= rounding * right
  }

  /// Whether everything was heard at one gain in dB, also what crosses zero.
  public static func equalEverywhere(_ heard: [Float], _ played: [Float], at decibels: Double) -> Bool {
    zip(heard, played).allSatisfy {
      abs(Double($0) - Double($1) * amplitude(decibels)) <= rounding * abs(Double($1))
    }
  }

  /// Where the gain leaves its first value, and where it is at its last value for good.
  public func move(from first: Double, to last: Double) -> Range<Int>? {
    guard let start = gains.firstIndex(where: { !Self.equal($0, first) }),
      let end = gains.lastIndex(where: { !Self.equal($0, last) }), start <= end
    else { return nil }
    return start..<end + 1
  }

  /// How far some frames are from a curve at most.
  ///
  /// - Parameter curve: the amplitude at 0...1 of the way, which takes `frames` frames.
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
