/// What OSCQuery tells of the router itself (`HOST_INFO`). It names no IP address: a client then uses the one at which it reached the router.
public struct QueryHost: Sendable {
  public var name: String
  /// The port of OSC, and whether it is one of UDP or of TCP; nil if OSC has no port.
  public var osc: (port: UInt16, transport: Transport)?
  /// The port of HTTP and WebSocket.
  public var webPort: UInt16

  public enum Transport: String, Sendable { case udp = "UDP", tcp = "TCP" }

  public init(name: String, osc: (port: UInt16, transport: Transport)?, webPort: UInt16) {
    (self.name, self.osc, self.webPort) = (name, osc, webPort)
  }

  /// The extensions of OSCQuery that the router has, and one of libossia that it has not: libossia then does not ask for it.
  private static let extensions =
    [
      "ACCESS", "VALUE", "RANGE", "DESCRIPTION", "TAGS", "UNIT", "CLIPMODE", "CRITICAL", "LISTEN",
      "PATH_ADDED",
      "PATH_REMOVED", "PATH_CHANGED",
    ].map { "\"\($0)\":true" }.joined(separator: ",") + ",\"OSC_STREAMING\":false"

  var text: String {
    let osc = osc.map { ",\"OSC_PORT\":\($0.port),\"OSC_TRANSPORT\":\"\($0.transport.rawValue)\"" } ?? ""
    return
      "{\"NAME\":\(QueryLeaf.quoted(name)),\"EXTENSIONS\":{\(Self.extensions)}\(osc),\"WS_PORT\":\(webPort)}"
  }
}
