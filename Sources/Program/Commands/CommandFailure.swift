/// The failure of a command: its messages for standard error, and its exit code.
public struct CommandFailure: Error, Equatable, Sendable {
  public var exitCode: ExitCode
  /// Messages, one per line, in the order to be read; empty if they are printed already.
  public var lines: [String]

  public init(_ exitCode: ExitCode, _ lines: [String]) { (self.exitCode, self.lines) = (exitCode, lines) }

  public init(_ exitCode: ExitCode, _ lines: String...) { self.init(exitCode, lines) }
}
