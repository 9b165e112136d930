/// A JACK port whose cables another program takes away, or makes again, as often as the router sets them right. The router has left them to it.
public struct ContestedPort: Equatable, Sendable {
  /// The full name of the port.
  public let port: String
  /// The JACK client of the other program; nil if it is not known.
  public let client: String?

  public init(_ port: String, client: String?) { (self.port, self.client) = (port, client) }

  /// For the log, `why` and the alarm.
  public var sentence: String {
    "\(client ?? "another program") changes the cables of \(port) again and again, so the router has left them to it"
  }
}
