import Glibc

/// What the process was told by its environment, and where its own program is.
public struct Environment: Sendable {
  private let variables: [String: String]
  /// The path of the running program.
  public let executable: String

  /// An environment of the caller's.
  public init(_ variables: [String: String], executable: String = "") {
    (self.variables, self.executable) = (variables, executable)
  }

  /// The environment of this process; call it before there are threads that might change it.
  public static var process: Environment {
    var variables: [String: String] = [:]
    for name in names {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    if variables["HOME"] == nil, let user = getpwuid(getuid()), let folder = user.pointee.pw_dir {
      variables["HOME"] = String(cString: folder)
    }
    return Environment(variables, executable: Files.target(ofLink: "/proc/self/exe") ?? "")
  }

  /// A variable, nil when it is not set.
  public subscript(name: String) -> String? { variables[name] }

  private static let names = [
    "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "MULTIROUTE_SHARE", "NO_COLOR", "TERM",
    "JACK_DEFAULT_SERVER",
  ]
}
