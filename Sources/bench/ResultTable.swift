import Glibc

/// What was measured, with the limits.
struct ResultTable {
  private struct Row {
    var what: String
    var value: String
    /// Nil for what is only told.
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

  /// Adds a figure that is only told.
  mutating func note(_ what: String, _ value: Double, _ unit: String = "") {
    rows.append(Row(what: what, value: value.text + unit, limit: nil, isWithin: true))
  }

  var isWithinLimits: Bool { rows.allSatisfy(\.isWithin) }

  /// The table as lines of columns.
  var text: String {
    let width = rows.map(\.what.count).max() ?? 0
    return rows.map { row in
      let judgement = row.limit.map { "  \($0.padded(to: 20)) \(row.isWithin ? "ok" : "MISSED")" } ?? ""
      return row.what.padded(to: width + 2) + row.value.padded(to: 12) + judgement
    }.joined(separator: "\n")
  }
}

extension Double {
  /// Up to three decimals.
  var text: String {
    let thousandths = Int((magnitude * 1_000).rounded())
    var digits = String(thousandths % 1_000)
    digits = String(repeating: "0", count: 3 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return (self < 0 ? "-" : "") + "\(thousandths / 1_000)" + (digits.isEmpty ? "" : ".\(digits)")
  }
}

extension String {
  /// Spaces behind it up to a width.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

extension [Double] {
  /// The value in the middle; 0 of nothing.
  var median: Double { quantile(0.5) }

  /// Of rounds in which two clients took turns at coming first, the mean of both orders' medians: who comes first brings what
  /// both need into the cache, so that the rounds of one order are not those of the other.
  var balanced: Double {
    let (even, odd) = (indices.filter { $0.isMultiple(of: 2) }, indices.filter { !$0.isMultiple(of: 2) })
    guard !odd.isEmpty else { return median }
    return (even.map { self[$0] }.median + odd.map { self[$0] }.median) / 2
  }

  /// The value that a share of all does not exceed.
  func quantile(_ share: Double) -> Double {
    guard !isEmpty else { return 0 }
    return sorted()[Swift.min(count - 1, Int(share * Double(count)))]
  }
}

/// Prints a line at once, whoever reads it.
func tell(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(STDOUT_FILENO, bytes, bytes.count)
}
