import Maths

/// Measures the gain of each source in a channel by the method of least squares.
///
/// The model of a channel is the sum of the sources' samples, each with a gain. The result is the gains with the least
/// residual. A small residual proves that the channel contains nothing else and that no sample is missing.
struct Hearing: Equatable {
  /// Linear gain of each source that sounded. The gain of a silent source cannot be measured.
  private(set) var gains: [Sound: Double] = [:]
  /// Energy of the residual relative to the channel, in dB; -200 for none.
  private(set) var rest = -200.0
  /// Peak of the channel, as linear amplitude.
  private(set) var peak = 0.0

  /// Analyses one channel.
  /// - Parameters:
  ///   - channel: samples of the channel.
  ///   - sources: samples of every source in the same frames.
  init(_ channel: [Float], sources: [Sound: [Float]]) {
    peak = Double(channel.lazy.map(abs).max() ?? 0)
    let audible = Sound.allCases.filter { sound in
      Self.product(sources[sound] ?? [], sources[sound] ?? []) > 1e-4
    }
    let matrix = audible.map { row in audible.map { Self.product(sources[row]!, sources[$0]!) } }
    let right = audible.map { Self.product(sources[$0]!, channel) }
    guard let solution = Self.solve(matrix, right) else { return }
    for (sound, gain) in zip(audible, solution) { gains[sound] = gain }
    var (energy, left) = (0.0, 0.0)
    for index in channel.indices {
      var model = 0.0
      for (sound, gain) in zip(audible, solution) { model += gain * Double(sources[sound]![index]) }
      energy += Double(channel[index]) * Double(channel[index])
      left += (Double(channel[index]) - model) * (Double(channel[index]) - model)
    }
    if left > 0, energy > 0 { rest = max(-200, 10 * log10(left / energy)) }
  }

  /// The gain of a source in dB: -200 if the channel does not contain it, nil if the source itself was silent.
  func level(of sound: Sound) -> Double? {
    gains[sound].map { abs($0) < 1e-5 ? -200 : 20 * log10(abs($0)) }
  }

  private static func product(_ left: [Float], _ right: [Float]) -> Double {
    zip(left, right).reduce(0) { $0 + Double($1.0) * Double($1.1) }
  }

  /// Solves by Gaussian elimination with pivots; nil if the sources are linearly dependent.
  private static func solve(_ matrix: [[Double]], _ right: [Double]) -> [Double]? {
    var (a, b) = (matrix, right)
    let count = b.count
    for column in 0..<count {
      let pivot = (column..<count).max { abs(a[$0][column]) < abs(a[$1][column]) }!
      guard abs(a[pivot][column]) > 1e-9 else { return nil }
      a.swapAt(column, pivot)
      b.swapAt(column, pivot)
      for row in (column + 1)..<max(count, column + 1) {
        let factor = a[row][column] / a[column][column]
        for index in column..<count { a[row][index] -= factor * a[column][index] }
        b[row] -= factor * b[column]
      }
    }
    var solution = Array(repeating: 0.0, count: count)
    for row in stride(from: count - 1, through: 0, by: -1) {
      let known = ((row + 1)..<max(count, row + 1)).reduce(0.0) { $0 + a[row][$1] * solution[$1] }
      solution[row] = (b[row] - known) / a[row][row]
    }
    return solution
  }
}
