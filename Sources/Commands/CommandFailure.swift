/// Why a command ends without success: what standard error says, and the exit code.
public struct CommandFailure: Error, Equatable, Sendable {
  public var exitCode: ExitCode
  /// Whole sentences or problems, a line each, in the order to be read; none when all is said already.
  public var lines: [String]

  public init(_ exitCode: ExitCode, _ lines: [String]) { (self.exitCode, self.lines) = (exitCode, lines) }

  public init(_ exitCode: ExitCode, _ lines: String...) { self.init(exitCode, lines) }
}
