import SystemCalls

/// What the system knows of the audio thread: how long it ran, how long it waited for a processor, and how often it gave up or lost its
/// processor. It is never read on the audio thread.
struct ThreadWitness {
  struct Reading: Equatable {
    /// Seconds on a processor, and ready without one.
    var (ran, waited) = (0.0, 0.0)
    var (voluntary, involuntary) = (0, 0)
    /// Seconds of its work, as it measured that itself.
    var worked = 0.0
  }

  /// The last readings, of one thread, oldest first.
  private var readings: [Reading] = []
  private var thread: Int?

  /// Two intervals count, because a glitch may have begun before the last look.
  private static let most = 3

  /// Reads the counters of a thread.
  /// - Parameters:
  ///   - thread: its number in the system; nil if it is unknown.
  ///   - worked: seconds that it has worked so far, as it measured that itself.
  mutating func look(at thread: Int?, worked: Double) {
    if thread != self.thread { (self.thread, readings) = (thread, []) }
    guard let thread, var reading = Self.read("/proc/self/task/\(thread)") else {
      readings = []
      return
    }
    reading.worked = worked
    note(reading)
  }

  mutating func note(_ reading: Reading) {
    readings.append(reading)
    if readings.count > Self.most { readings.removeFirst() }
  }

  /// What happened between the readings; nil if there are fewer than two.
  var lately: Reading? {
    guard let first = readings.first, let last = readings.last, readings.count > 1 else { return nil }
    return Reading(
      ran: last.ran - first.ran, waited: last.waited - first.waited,
      voluntary: last.voluntary - first.voluntary, involuntary: last.involuntary - first.involuntary,
      worked: last.worked - first.worked)
  }

  /// How long the thread had no processor while it worked, in seconds.
  var interrupted: Double? { lately.map { max(0, $0.worked - $0.ran) } }

  /// Reads `schedstat` (nanoseconds that the thread ran and that it waited, and a count) and `status` of a thread (`proc(5)`).
  static func read(_ folder: String) -> Reading? {
    let times = WholeFile.lines("\(folder)/schedstat").first?.split(separator: " ").compactMap { Double($0) }
    guard let times, times.count >= 2 else { return nil }
    var reading = Reading()
    (reading.ran, reading.waited) = (times[0] * 1e-9, times[1] * 1e-9)
    for line in WholeFile.lines("\(folder)/status") {
      func count(_ name: String) -> Int? {
        line.hasPrefix(name) ? line.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } : nil
      }
      reading.voluntary = count("voluntary_ctxt_switches") ?? reading.voluntary
      reading.involuntary = count("nonvoluntary_ctxt_switches") ?? reading.involuntary
    }
    return reading
  }
}
