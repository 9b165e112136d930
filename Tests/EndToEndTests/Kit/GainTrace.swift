import Foundation
import TestKit
import Testing

/// The gain that something was heard with, frame by frame.
struct GainTrace {
  let gains: [Double]

  init(gains: [Double]) { self.gains = gains }

  /// Divides what was heard by what was played.
  ///
  /// A source that counts frames passes through zero once in a long while; silence there is heard at the gain of the frame before.
  init(_ heard: [Float], of played: [Float]) {
    var gains: [Double] = []
    gains.reserveCapacity(heard.count)
    for (heard, played) in zip(heard, played) {
      let isPassingZero = played == 0 && heard == 0
      gains.append(isPassingZero ? gains.last ?? 0 : Double(heard) / Double(played))
    }
    self.gains = gains
  }

  /// What a gain in dB multiplies by.
  static func amplitude(_ decibels: Double) -> Double { decibels <= -90 ? 0 : pow(10, decibels / 20) }

  /// A raised cosine from 0 to 1.
  static func raisedCosine(_ way: Double) -> Double { 0.5 - 0.5 * cos(.pi * way) }

  /// How far a single-precision product may be from the exact one.
  private static let rounding = 4e-7

  /// Whether two gains are the same but for rounding; what is silent must be silent.
  static func equal(_ left: Double, _ right: Double) -> Bool {
    right == 0 ? left == 0 : abs(left - right) <= rounding * right
  }

  /// Whether everything was heard at one gain in dB, also what crosses zero.
  static func equalEverywhere(_ heard: [Float], _ played: [Float], at decibels: Double) -> Bool {
    zip(heard, played).allSatisfy {
      abs(Double($0) - Double($1) * amplitude(decibels)) <= rounding * abs(Double($1))
    }
  }

  /// Where the gain leaves its first value, and where it is at its last value for good.
  func move(from first: Double, to last: Double) -> Range<Int>? {
    guard let start = gains.firstIndex(where: { !Self.equal($0, first) }),
      let end = gains.lastIndex(where: { !Self.equal($0, last) }), start <= end
    else { return nil }
    return start..<end + 1
  }

  /// Expects one move of `frames` frames: the first value exactly, then the curve within a thousandth, then the last value exactly.
  ///
  /// - Parameter curve: the amplitude at 0...1 of the way.
  func expectMove(
    from first: Double, to last: Double, frames: Int, tolerance: Double = 1.5e-3,
    curve: ((Double) -> Double)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let move = move(from: first, to: last) else {
      Issue.record(
        "the gain does not move from \(first) to \(last) but from \(gains.first ?? .nan) to \(gains.last ?? .nan)",
        sourceLocation: sourceLocation)
      return
    }
    // The first and last frames of a flat curve may round to its ends.
    #expect(abs(move.count - frames) <= max(4, frames / 100), "frames moved", sourceLocation: sourceLocation)
    let amplitude = curve ?? { first + (last - first) * Self.raisedCosine($0) }
    let height = max(first, last)
    var worst = 0.0
    for (index, gain) in gains[move].enumerated() {
      worst = max(worst, abs(gain - amplitude(min(1, Double(index + 1) / Double(frames)))))
    }
    #expect(worst <= tolerance * height + 1e-6, "farthest from the curve", sourceLocation: sourceLocation)
  }

  /// The largest step between neighbouring frames.
  var largestStep: Double { zip(gains, gains.dropFirst()).map { abs($0 - $1) }.max() ?? 0 }
}
