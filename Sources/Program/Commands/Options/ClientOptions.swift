public import OSC

/// The router to which a command sends, and the time limit for answers.
public struct ClientOptions: Equatable, Sendable {
  public var router: Endpoint
  /// Longest time to wait for an answer.
  public var timeout: Duration

  /// Reads the flags. Without `--to` this looks for the router of this machine; if there are several, it prints which one it chose.
  init(_ arguments: ParsedArguments, _ context: Context) {
    router = arguments.text(.to).flatMap { Endpoint($0) } ?? Self.usualRouter(context)
    timeout = .seconds(arguments.seconds(.timeout) ?? 1)
  }

  /// The one router that listens at a Unix socket; if there is none or several, the one at the usual port.
  private static func usualRouter(_ context: Context) -> Endpoint {
    let paths = context.folders.sockets.live
    guard paths.count != 1 else { return .unix(path: paths[0]) }
    if paths.count > 1 {
      let names = paths.map { Endpoint.unix(path: $0).description }
      context.console.tell(
        "multiroute: \(paths.count) routers run here; this command uses \(Endpoint.standard). To use another: "
          + names.map { "--to \($0)" }.joined(separator: " or "))
    }
    return .standard
  }
}
