/// Which router a command talks to, and how patiently.
public struct ClientOptions: Equatable, Sendable {
  public var router: Endpoint
  /// How long an answer may take.
  public var timeout: Duration

  init(_ arguments: ParsedArguments) {
    router = arguments.text(.to).flatMap { Endpoint($0) } ?? .standard
    timeout = .seconds(arguments.seconds(.timeout) ?? 1)
  }
}
