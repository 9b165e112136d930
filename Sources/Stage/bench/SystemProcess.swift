import SystemCalls

/// A process as the system shows it.
struct SystemProcess {
  let identifier: Int32
  /// The folder of its threads.
  var folder: String { "/proc/\(identifier)/task" }

  /// What each thread has used so far.
  var threads: [String: (name: String, nanoseconds: UInt64, runs: UInt64)] {
    var threads: [String: (name: String, nanoseconds: UInt64, runs: UInt64)] = [:]
    for thread in (try? System.readdir(folder)) ?? [] {
      let path = "\(folder)/\(thread)"
      threads[thread] = (
        WholeFile.lines("\(path)/comm").first.map { String($0) } ?? "", Self.schedule(path, 0),
        Self.schedule(path, 2)
      )
    }
    return threads
  }

  /// A word of a thread's `schedstat`: word 0 is its processor time in nanoseconds, word 2 is how often it ran.
  static func schedule(_ thread: String, _ word: Int) -> UInt64 {
    let words = WholeFile.lines("\(thread)/schedstat").first?.split(separator: " ")
    return words.flatMap { $0.count == 3 ? UInt64($0[word]) : nil } ?? 0
  }

  /// The memory that is not shared with the server, in MB of 1,000,000 bytes.
  var megabytes: Double {
    let lines = WholeFile.lines("/proc/\(identifier)/status")
    let kibibytes = lines.filter { $0.hasPrefix("RssAnon:") || $0.hasPrefix("RssFile:") }
      .compactMap {
        $0.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Double($0) }
      }
    return kibibytes.reduce(0, +) * 1_024 / 1_000_000
  }

  /// The processes that its threads have started.
  var children: [SystemProcess] {
    ((try? System.readdir(folder)) ?? []).flatMap { thread in
      (WholeFile.lines("\(folder)/\(thread)/children").first ?? "").split(separator: " ").compactMap {
        Int32($0).map { SystemProcess(identifier: $0) }
      }
    }
  }
}
