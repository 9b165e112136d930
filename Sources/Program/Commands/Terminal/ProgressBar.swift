/// A progress bar on a terminal. On other outputs it prints nothing.
public struct ProgressBar {
  private let total: Int
  private let console: Console
  private var shown = -1

  /// - Parameter total: the amount of work, in any unit.
  public init(total: Int, _ console: Console) { (self.total, self.console) = (max(1, total), console) }

  /// Shows how much of the work is done.
  public mutating func show(_ done: Int) {
    let percent = 100 * done / total
    guard console.error.isTerminal, percent != shown else { return }
    shown = percent
    let filled = percent * 40 / 100
    let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: 40 - filled)
    console.draw("\r\(bar) \(percent) %")
  }

  /// Ends the line of the bar.
  public func end() { if shown >= 0 { console.draw("\n") } }
}
