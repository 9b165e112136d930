import SystemCalls

/// Environment variables and the path of the running program.
public struct Environment: Sendable {
  private let variables: [String: String]
  /// The path of the running program.
  public let executable: String

  /// Makes an environment from given variables.
  public init(_ variables: [String: String], executable: String = "") {
    (self.variables, self.executable) = (variables, executable)
  }

  /// The environment of this process; call it before other threads start, because they might change the variables.
  public static var process: Environment {
    var variables: [String: String] = [:]
    for name in names { variables[name] = System.getenv(name) }
    if variables["HOME"] == nil { variables["HOME"] = System.homeFolder() }
    return Environment(variables, executable: (try? System.readlink("/proc/self/exe")) ?? "")
  }

  /// The value of a variable; nil if it is not set.
  public subscript(name: String) -> String? { variables[name] }

  private static let names = [
    "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "MULTIROUTE_SHARE",
    "NO_COLOR", "TERM", "JACK_DEFAULT_SERVER", "JOURNAL_STREAM",
    "NSM_URL", "SOURCE_DATE_EPOCH", "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID",
  ]
}
