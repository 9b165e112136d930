import SystemCalls

/// What the system tells of this process, as `/proc/self/stat` has it (proc(5)).
public struct ProcessReading: Equatable, Sendable {
  /// Seconds since 1970 (UTC).
  public var start: Double
  /// Seconds of processor time of all threads.
  public var cpu: Double
  public var residentBytes: Int

  public init(start: Double, cpu: Double, residentBytes: Int) {
    (self.start, self.cpu, self.residentBytes) = (start, cpu, residentBytes)
  }

  /// Reads the values of this process; nil if the system does not show them. Takes some microseconds.
  public static var now: ProcessReading? {
    let bootLine = WholeFile.lines("/proc/stat").first { $0.hasPrefix("btime ") }
    guard let stat = WholeFile.lines("/proc/self/stat").first.map(String.init),
      let boot = bootLine?.split(separator: " ").last.flatMap({ Double($0) })
    else { return nil }
    return Self(stat: stat, boot: boot, ticks: Double(System.clockTicks), page: System.pageSize)
  }

  /// Reads the line of `/proc/self/stat`.
  ///
  /// - Parameters:
  ///   - boot: when the system started, in seconds since 1970.
  ///   - ticks: the unit of its times, in parts of a second.
  ///   - page: bytes of a page of memory.
  init?(stat: String, boot: Double, ticks: Double, page: Int) {
    // The name of the program is in parentheses and may contain anything.
    guard let end = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[stat.index(after: end)...].split(separator: " ")
    // The fields 14, 15, 22 and 24; the first one here is the third.
    guard fields.count > 21, let user = Double(fields[11]), let system = Double(fields[12]),
      let start = Double(fields[19]), let pages = Int(fields[21])
    else { return nil }
    self.init(start: boot + start / ticks, cpu: (user + system) / ticks, residentBytes: pages * page)
  }
}
