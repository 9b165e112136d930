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

  public init(
    path: String, arguments: [String], environment: [String]? = nil, input: Int32, output: Int32,
    error: Int32,
    newSession: Bool = false
  ) {
    (self.path, self.arguments, self.environment) = (path, arguments, environment)
    (self.input, self.output, self.error) = (input, output, error)
    self.newSession = newSession
  }

  /// Starts the child; returns its process id. It must be waited for with `waitpid`.
  public func start() -> Result<Int32, Failure> {
    Self.keepDescriptors()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in [input, output, error].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let session: Int16 = newSession ? 0x80 : 0
    let flags = session | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, flags)
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var variables = (environment ?? []).map { strdup($0) } + [nil]
    defer { for variable in variables { free(variable) } }
    var identifier = pid_t()
    let code =
      environment == nil
      ? posix_spawnp(&identifier, path, &actions, &attributes, &words, environ)
      : posix_spawnp(&identifier, path, &actions, &attributes, &words, &variables)
    return code == 0 ? .success(identifier) : .failure(Failure(code: code))
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
