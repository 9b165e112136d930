import Glibc

/// How a process ended.
public enum ProcessEnd: Hashable, Sendable {
  /// The process exited with a code.
  case exited(Int32)
  case killed(by: SignalNumber)

  init(status: Int32) {
    let signal = status & 0x7f
    self = signal == 0 ? .exited(status >> 8 & 0xff) : .killed(by: SignalNumber(rawValue: signal))
  }
}

extension System {
  /// Whether a thread of this process has a real-time priority, by its number in the system.
  public static func isRealtime(thread: Int) -> Bool {
    let policy = sched_getscheduler(pid_t(thread))
    // The highest bit says that child processes do not inherit the priority.
    return policy >= 0 && [SCHED_FIFO, SCHED_RR].contains(policy & 0xFFFF)
  }

  /// The process number of this process.
  public static func getpid() -> Int32 { Glibc.getpid() }

  /// The number of processors that run now.
  public static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The unit of the times in `/proc`, in parts of a second.
  public static var clockTicks: Int { max(1, sysconf(Int32(_SC_CLK_TCK))) }

  /// The bytes of a page of memory.
  public static var pageSize: Int { max(1, sysconf(Int32(_SC_PAGESIZE))) }

  /// The user number of this process.
  public static func getuid() -> UInt32 { Glibc.getuid() }

  /// Sends a signal to a process.
  public static func kill(_ process: Int32, _ signal: SignalNumber) throws(SystemError) {
    try check("kill", Glibc.kill(process, signal.rawValue), "\(process)")
  }

  /// Whether a process of this number exists; it may belong to any user.
  public static func exists(_ process: Int32) -> Bool { Glibc.kill(process, 0) == 0 || errno != ESRCH }

  /// Waits for the end of a child; nil if it still runs. Afterwards its number may belong to another process.
  ///
  /// - Parameter waits: false returns at once.
  public static func waitpid(_ child: Int32, waits: Bool = true) throws(SystemError) -> ProcessEnd? {
    var status: Int32 = 0
    let result = try retry("waitpid", "\(child)") { Glibc.waitpid(child, &status, waits ? 0 : WNOHANG) }
    return result == 0 ? nil : ProcessEnd(status: status)
  }

  /// Replaces this program by another one in the same process. Returns only by throwing.
  ///
  /// - Parameters:
  ///   - arguments: all arguments; the first one is the name of the program.
  ///   - environment: `NAME=value` each.
  public static func execve(
    _ path: String, _ arguments: [String], environment: [String]
  ) throws(SystemError) -> Never {
    func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] { texts.map { strdup($0) } + [nil] }
    let (argv, envp) = (strings(arguments), strings(environment))
    Glibc.execve(path, argv, envp)
    let number = ErrorNumber(rawValue: errno)
    for pointer in argv + envp { free(pointer) }
    throw SystemError("exec", number, path)
  }

  /// Ends this process.
  public static func exit(_ code: Int32) -> Never { Glibc.exit(code) }

  /// Ends the process at once, without freeing what threads may still use.
  public static func _exit(_ code: Int32) -> Never { Glibc._exit(code) }

  /// A variable of the environment.
  public static func getenv(_ name: String) -> String? { Glibc.getenv(name).map { String(cString: $0) } }

  /// Sets a variable of the environment. Only while no other thread reads the environment.
  public static func setenv(_ name: String, _ value: String) { _ = Glibc.setenv(name, value, 1) }

  /// The environment, `NAME=value` each.
  public static var environ: [String] {
    var all: [String] = []
    var next = Glibc.environ
    while let entry = next.pointee {
      all.append(String(cString: entry))
      next += 1
    }
    return all
  }

  /// The home folder of this process's user, from the list of users.
  public static func homeFolder() -> String? {
    Glibc.getpwuid(Glibc.getuid())?.pointee.pw_dir.map { String(cString: $0) }
  }
}
