/// Rows of cells whose columns are aligned, and notes below them.
struct TextTable {
  /// The alignment of a column.
  enum Alignment { case left, right }

  /// A cell and its style.
  struct Cell: ExpressibleByStringInterpolation {
    var text: String
    var style: Console.Style?

    init(_ text: String, _ style: Console.Style? = nil) { (self.text, self.style) = (text, style) }
    init(stringLiteral text: String) { self.init(text) }
  }

  private enum Row {
    case cells([Cell])
    /// A note across the whole width, from the second column on.
    case note(Cell)
  }

  private let alignments: [Alignment]
  private var rows: [Row]

  /// Makes an empty table with these column titles.
  init(_ columns: [(name: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [.cells(columns.map { Cell($0.name, .dim) })]
  }

  /// Whether the table has only titles.
  var isEmpty: Bool { rows.count == 1 }

  mutating func append(_ row: [Cell]) { rows.append(.cells(row)) }

  /// Adds a sentence below the last row, wrapped to the width of the screen.
  mutating func append(note: Cell) { rows.append(.note(note)) }

  /// The lines of the table without trailing blanks. The last column is as wide as its text.
  func lines(_ console: Console) -> [String] {
    let widths = self.widths
    return rows.flatMap { row in
      switch row {
      case .cells(let cells): [line(cells, widths, console)]
      case .note(let note): lines(of: note, behind: (widths.first ?? 0) + Self.gap.count, console)
      }
    }
  }

  private var widths: [Int] {
    var widths = alignments.map { _ in 0 }
    for case .cells(let cells) in rows {
      for (column, cell) in cells.enumerated() { widths[column] = max(widths[column], cell.text.count) }
    }
    return widths
  }

  private func line(_ cells: [Cell], _ widths: [Int], _ console: Console) -> String {
    var line = ""
    var pending = ""
    for (column, cell) in cells.enumerated() {
      let blanks = String(repeating: " ", count: widths[column] - cell.text.count)
      let text = cell.style.map { console.styled(cell.text, $0) } ?? cell.text
      if alignments[column] == .right { pending += blanks }
      if !cell.text.isEmpty {
        line += pending + text
        pending = ""
      }
      pending += (alignments[column] == .left ? blanks : "") + Self.gap
    }
    return line
  }

  private func lines(of note: Cell, behind column: Int, _ console: Console) -> [String] {
    let width = console.output.isTerminal ? console.output.width : Self.usualWidth
    return Wrapping.lines(note.text, width: max(width - column, Self.narrowest)).map { line in
      String(repeating: " ", count: column) + (note.style.map { console.styled(line, $0) } ?? line)
    }
  }

  private static let gap = "  "
  /// Width in columns if the output is not a terminal.
  private static let usualWidth = 100
  private static let narrowest = 30
}
