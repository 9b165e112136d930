/// A progress bar on a terminal. On other outputs it prints nothing, or lines.
public struct ProgressBar {
  private let total: Int
  private let console: Console
  private let inLines: Bool
  private var shown = -1

  /// - Parameters:
  ///   - total: the amount of work, in any unit.
  ///   - inLines: whether to print a line for each percent where there is no terminal.
  public init(total: Int, inLines: Bool = false, _ console: Console) {
    (self.total, self.console, self.inLines) = (max(1, total), console, inLines)
  }

  /// Shows how much of the work is done.
  public mutating func show(_ done: Int) {
    let percent = min(100, 100 * done / total)
    guard console.error.isTerminal || inLines, percent != shown else { return }
    shown = percent
    guard console.error.isTerminal else { return console.tell("\(percent) %") }
    let filled = percent * 40 / 100
    let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: 40 - filled)
    console.draw("\r\(bar) \(percent) %")
  }

  /// Ends the line of the bar.
  public func end() { if shown >= 0, console.error.isTerminal { console.draw("\n") } }
}
