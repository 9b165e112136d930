import SystemCalls

/// A program with its arguments, streams and variables. The child inherits our environment, but only the descriptors that this value
/// names.
public struct ChildProgram: Sendable {
  /// The target of one of a child's three streams.
  public enum Stream: Sendable {
    /// Reads find nothing; writes are dropped.
    case nowhere
    /// This process. The child's property of the same name has our end.
    case us
    /// The target of the child's standard output; for standard error only.
    case output
    /// The target of a descriptor of this process. The descriptor stays open here.
    case descriptor(Int32)
  }

  /// A path, or a name to look up in PATH.
  public var path: String
  /// The arguments, without the program's name.
  public var arguments: [String]
  /// The name that the program sees as its own; nil means `path`.
  public var name: String?
  /// `NAME=value` each. They replace variables of the same names in our own environment.
  public var variables: [String] = []
  public var input = Stream.nowhere
  public var output = Stream.nowhere
  public var error = Stream.nowhere
  /// Whether the child gets a session of its own, so that the terminal's signals do not reach it.
  public var leavesSession = false
  /// Whether the system kills the child when the thread that started it ends, in whatever way our process
  /// ends.
  public var endsWithThread = false

  public init(_ path: String, _ arguments: [String] = []) { (self.path, self.arguments) = (path, arguments) }

  /// The path of an executable file: searched in `folders`, then in the folders of PATH. Nil if none is
  /// found.
  public static func find(_ name: String, in folders: [String]) -> String? {
    let usual = System.getenv("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    let all = folders + usual.split(separator: ":").map(String.init)
    return all.lazy.map { "\($0)/\(name)" }.first { path in
      (try? System.stat(path))?.kind == .file && System.access(path, .execute)
    }
  }

  /// The complete environment of the child.
  var environment: [String] {
    let names = Set(variables.map { $0.prefix { $0 != "=" } })
    return System.environ.filter { entry in !names.contains(entry.prefix { $0 != "=" }) } + variables
  }
}
