/// Rows of cells whose columns are aligned.
struct TextTable {
  /// How a column stands.
  enum Alignment { case left, right }

  /// A cell and how it looks.
  struct Cell: ExpressibleByStringInterpolation {
    var text: String
    var style: Console.Style?

    init(_ text: String, _ style: Console.Style? = nil) { (self.text, self.style) = (text, style) }
    init(stringLiteral text: String) { self.init(text) }
  }

  private let alignments: [Alignment]
  private var rows: [[Cell]]

  /// Starts with the names of the columns.
  init(_ columns: [(name: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map { Cell($0.name, .dim) }]
  }

  /// Whether there is no row but the names.
  var isEmpty: Bool { rows.count == 1 }

  mutating func append(_ row: [Cell]) { rows.append(row) }

  /// The lines, without blanks at their ends; the last column is as wide as its text.
  func lines(_ console: Console) -> [String] {
    let widths = alignments.indices.map { column in rows.map { $0[column].text.count }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      var pending = ""
      for (column, cell) in row.enumerated() {
        let blanks = String(repeating: " ", count: widths[column] - cell.text.count)
        let text = cell.style.map { console.styled(cell.text, $0) } ?? cell.text
        if alignments[column] == .right { pending += blanks }
        if !cell.text.isEmpty {
          line += pending + text
          pending = ""
        }
        pending += (alignments[column] == .left ? blanks : "") + "  "
      }
      return line
    }
  }
}
