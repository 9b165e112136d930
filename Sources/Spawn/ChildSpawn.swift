import CSpawn
import Glibc

/// How a child process is started: with nothing inherited but what is named here.
///
/// Signals are neither blocked nor ignored in the child, whatever they are here: threads of a pool block all of them, and a
/// child that inherited that could not be asked to end.
public struct ChildSpawn: Sendable {
  /// A failure to start.
  public struct Failure: Error {
    /// The system's error number.
    public var code: Int32
  }

  /// A path, or a name that is looked up in PATH.
  public var path: String
  /// Arguments, the program's own name first.
  public var arguments: [String]
  /// `NAME=value` in place of our own environment; nil passes ours on.
  public var environment: [String]?
  /// Descriptors that become standard input, output and error; they stay open here.
  public var (input, output, error): (Int32, Int32, Int32)
  /// Whether the child leaves our session, so that the terminal's signals do not reach it.
  public var newSession: Bool
  /// Whether the system kills the child when the thread that started it ends, however our process came to its end.
  public var endsWithThread: Bool

  public init(
    path: String, arguments: [String], environment: [String]? = nil, input: Int32, output: Int32,
    error: Int32, newSession: Bool = false, endsWithThread: Bool = false
  ) {
    (self.path, self.arguments, self.environment) = (path, arguments, environment)
    (self.input, self.output, self.error) = (input, output, error)
    (self.newSession, self.endsWithThread) = (newSession, endsWithThread)
  }

  /// A descriptor that becomes readable when a child has ended; it can be waited for then. Nil if the system has none left.
  public static func endDescriptor(of child: Int32) -> Int32? {
    let descriptor = mr_process_descriptor(child)
    return descriptor < 0 ? nil : descriptor
  }

  /// Starts the child; returns its process id. It must be waited for with `waitpid`.
  public func start() -> Result<Int32, Failure> {
    Self.keepDescriptors()
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var variables = (environment ?? []).map { strdup($0) } + [nil]
    defer { for variable in variables { free(variable) } }
    let code = path.withCString { path in
      words.withUnsafeMutableBufferPointer { words in
        variables.withUnsafeMutableBufferPointer { variables in
          var request = mr_spawn_request(
            path: path, arguments: words.baseAddress,
            environment: environment == nil ? environ : variables.baseAddress,
            descriptors: (input, output, error), new_session: newSession, ends_with_thread: endsWithThread)
          return mr_spawn(&request)
        }
      }
    }
    return code > 0 ? .success(code) : .failure(Failure(code: -code))
  }

  /// Has all descriptors that are open now closed in children.
  ///
  /// Those that libjack opens would be inherited otherwise, and a server that writes to a client of ours that has died would
  /// wait for ever for the child to read.
  private static func keepDescriptors() {
    guard let folder = opendir("/proc/self/fd") else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }
  }
}
