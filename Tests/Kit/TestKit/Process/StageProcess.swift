import Glibc

/// The `stage` program at a server: simulated devices and sources, controlled by lines of text.
public final class StageProcess {
  /// Thrown for a command that the stage refused or did not answer.
  public struct Failure: Error, CustomStringConvertible {
    public var command: String
    public var answer: String
    public var description: String { "stage: \(command): \(answer)" }
  }

  private let child: ChildProcess
  /// Kept alive until the stage has left: a client that leaves a dead server could disturb the next server of
  /// that name.
  private let owner: AnyObject?

  /// Starts a stage and waits until it has joined the server.
  ///
  /// - Parameters:
  ///   - clientName: the name of the stage's own client; nil is the default name.
  ///   - environment: variables in addition to ours.
  ///   - owner: an object that ends the server when it is released; the stage keeps it alive.
  public init(
    server: String, clientName: String? = nil, environment: [String: String] = [:], owner: AnyObject? = nil
  ) throws {
    self.owner = owner
    child = try ChildProcess(
      ChildProcess.product("stage"), ["--server", server] + (clientName.map { ["--name", $0] } ?? []),
      environment: environment, isUnderTest: true)
    let answer = child.output.line(seconds: 60) ?? "no answer"
    guard answer.hasPrefix("ok") else { throw Failure(command: "join \(server)", answer: answer) }
  }

  /// Leaves the server properly.
  deinit {
    child.endInput()
    _ = child.wait(seconds: 5)
    child.finish()
  }

  /// Runs a command. Returns the answer after `ok`. Words with spaces are in quotes, as in `"USB Interface"`.
  ///
  /// - Throws: `Failure` with the stage's own sentence.
  @discardableResult
  public func `do`(_ command: String, seconds: Double = 60) throws -> String {
    try answer(to: command, seconds: seconds) {}
  }

  /// Sends a command, runs `body`, and then waits for the answer. Returns the answer after `ok`.
  ///
  /// - Throws: `Failure` with the stage's own sentence, or the error of `body`.
  public func answer(
    to command: String, seconds: Double = 60, while body: () throws -> Void
  ) throws -> String {
    child.send(command)
    try body()
    let answer = child.output.line(seconds: seconds) ?? "no answer"
    guard answer == "ok" || answer.hasPrefix("ok ") else { throw Failure(command: command, answer: answer) }
    return String(answer.dropFirst(3))
  }

  /// Runs a command that answers `name=value` words. Returns one of the values.
  public func value(_ name: String, of command: String, seconds: Double = 60) throws -> Double {
    let answer = try self.do(command, seconds: seconds)
    for word in answer.split(separator: " ") where word.hasPrefix(name + "=") {
      if let value = Double(word.dropFirst(name.count + 1)) { return value }
    }
    throw Failure(command: command, answer: "no \(name) in \(answer)")
  }

  /// Runs a command that answers quoted names.
  public func names(_ command: String) throws -> [String] {
    let parts = try self.do(command).split(separator: "\"", omittingEmptySubsequences: false)
    return parts.indices.filter { !$0.isMultiple(of: 2) }.map { String(parts[$0]) }
  }

  /// Ends the stage as a crash does, and waits until it has gone.
  public func crash() {
    child.send(signal: SIGKILL)
    _ = child.wait(seconds: 10)
  }

  /// Stops the stage while `body` runs: its devices and sources get no processor time.
  public func standStill(while body: () throws -> Void) rethrows {
    Glibc.kill(child.identifier, SIGSTOP)
    defer { Glibc.kill(child.identifier, SIGCONT) }
    try body()
  }

  /// Sends the stage a signal. After SIGSTOP its devices and sources no longer answer the server.
  public func send(signal: Int32) { child.send(signal: signal) }

  /// Kills the stage: all its devices and sources disappear at once.
  public func kill() {
    child.send(signal: 9)
    _ = child.wait()
  }
}
