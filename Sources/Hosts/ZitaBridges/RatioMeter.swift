/// Reads the resampling ratio from what a bridge program prints, and keeps that of the last 10 s. It has no clock of its own.
struct RatioMeter {
  private var ratios: [(time: Double, ratio: Double)] = []

  private static let memory = 10.0

  /// The ratio in a line of a program; nil in any other line. The programs print columns of numbers, of which only the ratio has six decimals:
  /// `zita-n2j --info` periods, error, ratio and frames in the queue, and `zita-j2a -v` error and ratio.
  static func ratio(in line: String) -> Double? {
    let words = line.split(separator: " ")
    guard (2...4).contains(words.count), words.allSatisfy({ Double($0) != nil }) else { return nil }
    let ratios = words.filter { $0.split(separator: ".", omittingEmptySubsequences: false).last?.count == 6 }
      .filter { $0.contains(".") }.compactMap { Double($0) }
    guard ratios.count == 1, let ratio = ratios.first, (0.5...2).contains(ratio) else { return nil }
    return ratio
  }

  mutating func note(_ ratio: Double, at time: Double) {
    ratios.append((time, ratio))
    ratios.removeAll { time - $0.time > Self.memory }
  }

  /// By how much the program resamples, relative to no resampling; nil if it has told no ratio for 10 s. It is the median, because a program
  /// that gets no processor for a moment corrects itself for seconds.
  func drift(at time: Double) -> Double? {
    let recent = ratios.filter { time - $0.time <= Self.memory }.map(\.ratio).sorted()
    guard !recent.isEmpty else { return nil }
    let middle = recent.count / 2
    let median = recent.count.isMultiple(of: 2) ? (recent[middle - 1] + recent[middle]) / 2 : recent[middle]
    return median - 1
  }
}
