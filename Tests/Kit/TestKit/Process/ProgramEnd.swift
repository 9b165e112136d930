import Glibc

/// The end of a program under test.
public struct ProgramEnd: Equatable, Sendable {
  /// The exit code, or minus the number of the signal that ended the program; nil if the program did not end
  /// on request.
  public var code: Int32?
  /// The signals that the test sent.
  public var signals: Set<Int32>
  /// The program's complete output to standard error.
  public var errors: String

  public init(code: Int32?, signals: Set<Int32> = [], errors: String = "") {
    (self.code, self.signals, self.errors) = (code, signals, errors)
  }

  /// The documented exit codes (`docs/reference/cli.md`) except 70, which means an error inside the program.
  private static let documentedCodes: Set<Int32> = [0, 1, 64, 65, 66, 69, 73, 77]

  /// The reason why this end fails any test; nil if the program ended properly or as the test told it to.
  public var fault: String? {
    guard let code else { return "it does not end" }
    if errors.contains("Sanitizer:") { return "a sanitizer ended it with \(code)" }
    if code < 0, !signals.contains(-code) {
      return "signal \(-code) (\(String(cString: strsignal(-code)))) ended it, which the test did not send"
    }
    if code >= 0, !Self.documentedCodes.contains(code) { return "it ended with \(code)" }
    return nil
  }
}
