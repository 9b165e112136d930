/// The surroundings of a command: its console, its environment variables, and how it is interrupted.
public struct Context: Sendable {
  public let console: Console
  public let environment: Environment
  public let interruption: EndRequest

  public init(console: Console, environment: Environment, interruption: EndRequest = .signals) {
    (self.console, self.environment, self.interruption) = (console, environment, interruption)
  }

  /// The context of this process.
  public static var process: Context {
    let environment = Environment.process
    return Context(console: .process(environment), environment: environment)
  }

  /// The folders of this user.
  public var folders: Folders { Folders(environment) }
}
