/// What the system tells of a thread (proc(5)).
struct ThreadActivity: Equatable {
  /// `R`, `S`, `D`, `T` and others.
  private let state: Character
  /// How long the thread has run, in hundredths of a second.
  let ticks: Int

  /// Reads the line of `/proc/[pid]/task/[tid]/stat`; nil if it is none. The name, in parentheses, may contain anything.
  init?(_ line: some StringProtocol) {
    guard let end = line.lastIndex(of: ")") else { return nil }
    let fields = line[line.index(after: end)...].split(separator: " ")
    guard fields.count > 12, let state = fields[0].first, let user = Int(fields[11]),
      let system = Int(fields[12])
    else { return nil }
    (self.state, ticks) = (state, user + system)
  }

  /// Whether the thread runs, or waits for a processor.
  var isRunnable: Bool { state == "R" }
  /// Whether somebody has stopped it.
  var isStopped: Bool { state == "T" }
}
