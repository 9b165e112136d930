public import ControlInterface
public import ServerInterface

/// A router with its audio server and its listeners, for the commands `run` and `demo`.
public final class RouterService: Sendable {
  public let router: Router

  /// Makes a router that accepts commands. `Router.start` makes the router look for the audio server.
  ///
  /// - Parameter listeners: the listeners that get every change, in this order, on the policy thread.
  public init(
    _ settings: Router.Settings, server: any AudioServer,
    listeners: sending [any ControlListener] = []
  ) {
    router = Router(settings, server: server, listeners: listeners)
  }
}
