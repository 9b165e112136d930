/// What came of the attacks of a run, as a table for people.
struct AttackTable: CustomStringConvertible {
  /// The result of one attack.
  struct Row: Equatable {
    var attack: String
    var count: AttackCount
    /// Bytes of the router before the attack, and when they were the fewest in the minute after it.
    var memory: (before: Int, after: Int)
    /// Seconds that another client waited longest for an answer.
    var longestWait: Double

    static func == (one: Row, other: Row) -> Bool { one.fields == other.fields }

    /// Bytes by which the router has grown.
    var growth: Int { memory.after - memory.before }

    fileprivate var fields: [String] {
      [
        attack, "\(count.tried)", "\(count.survived)", Self.mebibytes(memory.before),
        Self.mebibytes(memory.after),
        "\(Int((1_000 * longestWait).rounded())) ms",
      ]
    }

    private static func mebibytes(_ bytes: Int) -> String {
      let tenths = (10 * bytes) >> 20
      return "\(tenths / 10).\(tenths % 10) MiB"
    }
  }

  private static let heads = [
    "attack", "tried", "survived", "memory before", "after", "longest wait of another",
  ]

  private(set) var rows: [Row] = []

  mutating func add(_ row: Row) { rows.append(row) }

  /// The table, in the form that pages of documentation have.
  var description: String {
    let lines = [Self.heads] + rows.map(\.fields)
    let widths = Self.heads.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    func line(_ fields: [String]) -> String {
      let cells = zip(fields, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return "| \(cells.joined(separator: " | ")) |"
    }
    let rule = widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|")
    return ([line(Self.heads), "|\(rule)|"] + rows.map { line($0.fields) }).joined(separator: "\n")
  }
}
