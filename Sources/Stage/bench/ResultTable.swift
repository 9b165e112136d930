import Glibc
import Numbers

/// The results, with their limits.
struct ResultTable {
  private struct Row {
    var what: String
    var value: String
    /// The limit; nil for a figure without one.
    var limit: String?
    var isWithin: Bool
  }

  private var rows: [Row] = []

  /// Adds a figure that must not exceed its limit.
  mutating func add(_ what: String, _ value: Double, _ unit: String = "", atMost limit: Double) {
    rows.append(
      Row(
        what: what, value: value.text + unit, limit: "at most \(limit.text)\(unit)", isWithin: value <= limit)
    )
  }

  /// Adds a figure that must reach its limit.
  mutating func add(_ what: String, _ value: Double, _ unit: String = "", atLeast limit: Double) {
    rows.append(
      Row(
        what: what, value: value.text + unit, limit: "at least \(limit.text)\(unit)",
        isWithin: value >= limit))
  }

  /// Adds a figure without a limit.
  mutating func note(_ what: String, _ value: Double, _ unit: String = "") {
    rows.append(Row(what: what, value: value.text + unit, limit: nil, isWithin: true))
  }

  var isWithinLimits: Bool { rows.allSatisfy(\.isWithin) }

  /// The table as text, one line for each result.
  var text: String {
    let width = rows.map(\.what.count).max() ?? 0
    return rows.map { row in
      let judgement = row.limit.map { "  \($0.padded(to: 20)) \(row.isWithin ? "ok" : "MISSED")" } ?? ""
      return row.what.padded(to: width + 2) + row.value.padded(to: 12) + judgement
    }.joined(separator: "\n")
  }
}

extension Double {
  /// The number as text with up to three decimals.
  var text: String { text(.upTo(3)) }
}

extension String {
  /// The text, filled up with spaces to a width.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

extension [Double] {
  /// The median; 0 for no values.
  var median: Double { quantile(0.5) }

  /// The mean of the medians of odd and even rounds, in which two clients ran in different orders. The first client fetches shared data
  /// into the cache for the second, so the two orders have different times.
  var balanced: Double {
    let (even, odd) = (indices.filter { $0.isMultiple(of: 2) }, indices.filter { !$0.isMultiple(of: 2) })
    guard !odd.isEmpty else { return median }
    return (even.map { self[$0] }.median + odd.map { self[$0] }.median) / 2
  }

  /// The quantile: the value that the given share of all values does not exceed.
  func quantile(_ share: Double) -> Double {
    guard !isEmpty else { return 0 }
    return sorted()[Swift.min(count - 1, Int(share * Double(count)))]
  }
}

/// Prints a line without a buffer, so that a reader gets it at once.
func tell(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(STDOUT_FILENO, bytes, bytes.count)
}
