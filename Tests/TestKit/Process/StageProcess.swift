/// The `stage` program joined to a server: simulated devices and sources, one line at a time.
public final class StageProcess {
  /// A command that the stage refused, or that it did not answer.
  public struct Failure: Error, CustomStringConvertible {
    public var command: String
    public var answer: String
    public var description: String { "stage: \(command): \(answer)" }
  }

  private let child: ChildProcess
  /// Kept alive until the stage has left: a client that leaves a dead server could disturb the next one of that name.
  private let owner: AnyObject?

  /// Starts a stage and waits until it has joined the server.
  ///
  /// - Parameters:
  ///   - clientName: of the stage's own client; nil is its usual one.
  ///   - environment: variables on top of ours.
  ///   - owner: whoever ends the server when let go of.
  public init(
    server: String, clientName: String? = nil, environment: [String: String] = [:], owner: AnyObject? = nil
  ) throws {
    self.owner = owner
    child = try ChildProcess(
      ChildProcess.product("stage"), ["--server", server] + (clientName.map { ["--name", $0] } ?? []),
      environment: environment)
    let answer = child.output.line(seconds: 15) ?? "no answer"
    guard answer.hasPrefix("ok") else { throw Failure(command: "join \(server)", answer: answer) }
  }

  /// Leaves the server as a program that ends in order does.
  deinit {
    child.endInput()
    _ = child.wait(seconds: 5)
  }

  /// Does a command; returns what follows `ok`. Words with spaces are quoted as in `"USB Interface"`.
  ///
  /// - Throws: `Failure` with the stage's own sentence.
  @discardableResult
  public func `do`(_ command: String, seconds: Double = 60) throws -> String {
    child.send(command)
    let answer = child.output.line(seconds: seconds) ?? "no answer"
    guard answer == "ok" || answer.hasPrefix("ok ") else { throw Failure(command: command, answer: answer) }
    return String(answer.dropFirst(3))
  }

  /// Does a command that answers `name=value` words, and returns one of the values.
  public func value(_ name: String, of command: String, seconds: Double = 60) throws -> Double {
    let answer = try self.do(command, seconds: seconds)
    for word in answer.split(separator: " ") where word.hasPrefix(name + "=") {
      if let value = Double(word.dropFirst(name.count + 1)) { return value }
    }
    throw Failure(command: command, answer: "no \(name) in \(answer)")
  }

  /// Does a command that answers quoted names.
  public func names(_ command: String) throws -> [String] {
    let parts = try self.do(command).split(separator: "\"", omittingEmptySubsequences: false)
    return parts.indices.filter { !$0.isMultiple(of: 2) }.map { String(parts[$0]) }
  }

  /// Kills the stage: all its devices and sources vanish at once.
  public func kill() {
    child.send(signal: 9)
    _ = child.wait()
  }
}
