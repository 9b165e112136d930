import OSC

/// Where a session manager receives messages, as the environment variable `NSM_URL` says.
public struct NSMAddress: Equatable, Sendable {
  /// A name or an IP address.
  public let host: String
  public let port: UInt16

  /// Reads `osc.udp://HOST:PORT/`; nil for any other text.
  public init?(_ url: String) {
    guard url.hasPrefix(Self.scheme) else { return nil }
    var place = url.dropFirst(Self.scheme.count)
    if place.hasSuffix("/") { place = place.dropLast() }
    guard case .udp(let host, let port)? = Endpoint(String(place)), port > 0, !host.contains("/") else {
      return nil
    }
    (self.host, self.port) = (host, port)
  }

  private static let scheme = "osc.udp://"
}
