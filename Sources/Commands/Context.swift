/// What surrounds a command: where it writes, what the environment says, and who may interrupt it.
public struct Context: Sendable {
  public let console: Console
  public let environment: Environment
  public let interruption: Interruption

  public init(console: Console, environment: Environment, interruption: Interruption = .signals) {
    (self.console, self.environment, self.interruption) = (console, environment, interruption)
  }

  /// That of this process.
  public static var process: Context {
    let environment = Environment.process
    return Context(console: .process(environment), environment: environment)
  }

  /// The folders of this user.
  public var folders: Folders { Folders(environment) }
}
