/// Lines that replace each other on a terminal. Each drawing is one text, which overwrites the last one in place, so that nothing flickers.
///
/// The text leaves no mode of the terminal changed: a program that is killed leaves a usable terminal.
struct TerminalPage {
  private let console: Console
  /// The size of the terminal at the last drawing.
  private var size: Console.Size?

  /// Nil if the output of the console is no terminal, or one of unknown size.
  init?(_ console: Console) {
    guard console.output.isTerminal, console.size != nil else { return nil }
    self.console = console
  }

  /// Whether the terminal has changed its size since the last drawing.
  var isOutgrown: Bool { console.size != size }

  /// Draws the lines that fit from the first row on. The first drawing moves up what the terminal shows.
  mutating func draw(_ lines: (Console) -> [String]) {
    guard let size = console.size ?? size else { return }
    // After a change of its size a terminal has wrapped or moved what it showed.
    let start =
      switch self.size {
      case nil: String(repeating: "\n", count: size.rows)
      case size: ""
      default: Self.home + Self.clearBelow
      }
    self.size = size
    let text = Self.fitting(lines(console.fitted(to: size)), size).map { $0 + Self.clearRow + "\n" }.joined()
    console.write(start + Self.home + Self.wrapsNot + text + Self.wraps + Self.clearBelow)
  }

  /// The lines that fit, each cut off at the last column. The last row stays free for the cursor.
  private static func fitting(_ lines: [String], _ size: Console.Size) -> [String] {
    let rows = max(1, size.rows - 1)
    guard lines.count > rows else { return lines.map { cut($0, at: size.columns) } }
    let note = "(\(lines.count - rows + 1) more lines; make the terminal higher)"
    return (lines.prefix(rows - 1) + [note]).map { cut($0, at: size.columns) }
  }

  /// The start of a line that fits in so many columns, with the codes of its styles.
  static func cut(_ line: String, at columns: Int) -> String {
    var (cut, column, isCode) = ("", 0, false)
    for character in line {
      if character == "\u{1B}" { isCode = true }
      if isCode || column < columns { cut.append(character) }
      if !isCode {
        column += 1
      } else if character.isLetter {
        isCode = false
      }
    }
    return cut
  }

  // ECMA-48, and DEC's mode of wrapping, for characters that are wider than one column.
  private static let home = "\u{1B}[H"
  private static let clearRow = "\u{1B}[K"
  private static let clearBelow = "\u{1B}[J"
  private static let wrapsNot = "\u{1B}[?7l"
  private static let wraps = "\u{1B}[?7h"
}
