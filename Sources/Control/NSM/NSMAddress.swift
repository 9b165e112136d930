/// Where a session manager receives messages, as the environment variable `NSM_URL` says.
public struct NSMAddress: Equatable, Sendable {
  /// A name or an IPv4 address.
  public let host: String
  public let port: UInt16

  /// Reads `osc.udp://HOST:PORT/`; nil for any other text.
  public init?(_ url: String) {
    guard url.hasPrefix(Self.scheme) else { return nil }
    var place = url.dropFirst(Self.scheme.count)
    if place.hasSuffix("/") { place = place.dropLast() }
    let parts = place.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains("/"),
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(parts[1]), port > 0
    else { return nil }
    (host, self.port) = (String(parts[0]), port)
  }

  private static let scheme = "osc.udp://"
}
