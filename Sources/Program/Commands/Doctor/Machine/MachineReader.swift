import SystemCalls

/// Reads the facts of a machine from its files below a root, so that a folder can stand for a machine.
struct MachineReader {
  /// The root; empty for this machine.
  let root: String

  init(root: String = "") { self.root = root }

  /// Reads all facts that files have.
  func machine(home: String?) -> Machine {
    var machine = Machine()
    (machine.user, machine.limits) = (user, limits)
    (machine.limitLines, machine.hasRtkit, machine.swap) = (limitLines, hasRtkit, swap)
    (machine.processors, machine.clock) = (processors, clock)
    (machine.cards, machine.programs) = (cards, programs)
    (machine.jackLibrary, machine.pipeWire) = (jackLibrary, pipeWire(home: home))
    return machine
  }

  // MARK: Files

  func lines(_ path: String) -> [Substring] { WholeFile.lines(root + path) }

  /// The first line of a file without blanks around; nil if there is none.
  func text(_ path: String) -> String? {
    lines(path).first.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  }

  func names(_ folder: String) -> [String] { (try? System.readdir(root + folder)) ?? [] }

  func exists(_ path: String) -> Bool { System.access(root + path) }

  // MARK: The user and the limits

  private var user: Machine.User {
    var user = Machine.User()
    let status = lines("/proc/self/status")
    func words(_ key: String) -> [Substring] {
      let line = status.first { $0.hasPrefix("\(key):") } ?? ""
      return Array(line.split(whereSeparator: \.isWhitespace).dropFirst())
    }
    user.number = self.user(of: "self")
    user.name =
      entries("/etc/passwd").first { $0.count > 2 && $0[2] == "\(user.number)" }?[0] ?? "\(user.number)"
    let groups = entries("/etc/group").filter { $0.count > 3 }
    let numbers = Set(words("Groups").map(String.init))
    user.groups = groups.filter { numbers.contains($0[2]) }.map { $0[0] }
    user.nextGroups = groups.filter { $0[3].split(separator: ",").contains { $0 == user.name } }.map { $0[0] }
    let capabilities = words("CapEff").first.flatMap { UInt64($0, radix: 16) } ?? 0
    // CAP_SYS_NICE and CAP_IPC_LOCK
    user.mayRaisePriority = capabilities >> 23 & 1 == 1
    user.mayLockMemory = capabilities >> 14 & 1 == 1
    return user
  }

  /// The number of the user of a process.
  func user(of process: String) -> Int {
    let line = lines("/proc/\(process)/status").first { $0.hasPrefix("Uid:") } ?? ""
    return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }

  private func entries(_ path: String) -> [[String]] {
    lines(path).map { $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init) }
  }

  private var limits: Machine.Limits {
    let lines = lines("/proc/self/limits")
    func limit(_ name: String) -> Int {
      let line = lines.first { $0.hasPrefix(name) } ?? ""
      let value = line.dropFirst(name.count).split(separator: " ").first
      return value == "unlimited" ? .max : value.flatMap { Int($0) } ?? 0
    }
    return Machine.Limits(
      priority: limit("Max realtime priority"), lockedMemory: limit("Max locked memory"))
  }

  private var limitLines: [Machine.LimitLine] {
    let folder = "/etc/security/limits.d"
    let files =
      ["/etc/security/limits.conf"] + names(folder).filter { $0.hasSuffix(".conf") }.map { "\(folder)/\($0)" }
    return files.flatMap { lines($0) }.compactMap { line in
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
      guard words.count == 4, ["rtprio", "memlock"].contains(words[2]) else { return nil }
      return Machine.LimitLine(domain: words[0], item: words[2], value: words[3])
    }
  }

  private var hasRtkit: Bool {
    exists("/usr/share/dbus-1/system-services/org.freedesktop.RealtimeKit1.service")
  }

  private var swap: Int {
    let line = lines("/proc/meminfo").first { $0.hasPrefix("SwapTotal:") } ?? ""
    let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    return (kibibytes ?? 0) * 1_024
  }

  // MARK: Processors and the clock

  private var processors: [Machine.Processor] {
    let folder = "/sys/devices/system/cpu"
    let names = names(folder).filter { $0.hasPrefix("cpu") && Int($0.dropFirst(3)) != nil }
    return names.map { name in
      Machine.Processor(
        name: name, governor: text("\(folder)/\(name)/cpufreq/scaling_governor"),
        driver: text("\(folder)/\(name)/cpufreq/scaling_driver") ?? "")
    }
  }

  private var clock: Machine.Clock {
    let folder = "/sys/devices/system/clocksource/clocksource0"
    let available = text("\(folder)/available_clocksource") ?? ""
    return Machine.Clock(
      current: text("\(folder)/current_clocksource") ?? "",
      available: available.split(separator: " ").map(String.init))
  }
}
