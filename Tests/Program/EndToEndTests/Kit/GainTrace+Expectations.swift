import TestKit
import Testing

extension GainTrace {
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
    let worst = farthest(in: move, frames: frames, from: amplitude)
    #expect(worst <= tolerance * height + 1e-6, "farthest from the curve", sourceLocation: sourceLocation)
  }
}
