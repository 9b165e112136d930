public import OSC

/// The router to which a command sends, and the time limit for answers.
public struct ClientOptions: Equatable, Sendable {
  public var router: Endpoint
  /// Longest time to wait for an answer.
  public var timeout: Duration

  /// Reads the flags, and looks for a router of a given name, which may take seconds. Without `--to` this looks for the router of this machine; if there are several, it prints which one it chose.
  /// - Throws: `CommandFailure` unavailable if `--to` names no router of the network.
  init(_ arguments: ParsedArguments, _ context: Context) throws(CommandFailure) {
    router = try Self.router(arguments.text(.to), context)
    timeout = .seconds(arguments.seconds(.timeout) ?? 1)
  }

  init(router: Endpoint, timeout: Duration) { (self.router, self.timeout) = (router, timeout) }

  private static func router(_ text: String?, _ context: Context) throws(CommandFailure) -> Endpoint {
    guard let text else { return usualRouter(context) }
    if let endpoint = Endpoint(text) { return endpoint }
    return try RouterName(text).endpoint(context)
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
