import Commands

/// A progress bar on a terminal. On other outputs it prints nothing.
struct ProgressBar {
  private let total: Int
  private let console: Console
  private var shown = -1

  init(total: Int, _ console: Console) { (self.total, self.console) = (max(1, total), console) }

  mutating func show(_ done: Int) {
    let percent = 100 * done / total
    guard console.error.isTerminal, percent != shown else { return }
    shown = percent
    let filled = percent * 40 / 100
    let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: 40 - filled)
    console.draw("\r\(bar) \(percent) %")
  }

  func end() { if shown >= 0 { console.draw("\n") } }
}
