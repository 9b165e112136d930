public import ControlInterface

/// A port of a router that programs on the network can find (DNS-SD, RFC 6763).
public struct NetworkService: Hashable, Sendable {
  /// What is spoken at the port; its raw value is the type of DNS-SD.
  public enum Kind: String, CaseIterable, Sendable {
    case oscOverUDP = "_osc._udp"
    case oscOverTCP = "_osc._tcp"
    case oscQuery = "_oscjson._tcp"
    /// Pages for browsers.
    case page = "_http._tcp"
  }

  public let kind: Kind
  /// The address that the socket is bound to, or at which it is reached.
  public let host: HostAddress
  public let port: UInt16

  public init(_ kind: Kind, host: HostAddress, port: UInt16) {
    (self.kind, self.host, self.port) = (kind, host, port)
  }
}

extension NetworkService.Kind {
  /// What the record of a service says about it: of OSC as OSC 1.1 has it (Freed and Schmeder 2009), of OSCQuery as ossia score looks for it.
  var attributes: [String] {
    switch self {
    case .oscOverUDP: Self.osc
    case .oscOverTCP: Self.osc + ["framing=slip"]
    case .oscQuery: ["txtvers=1", "WebSockets=true"]
    case .page: ["txtvers=1", "path=/"]
    }
  }

  private static let osc = ["txtvers=1", "version=1.1", "types=ifsbhdtScmrTFNI"]
}

/// The keys that routers have in their records beside the usual ones.
enum RouterAttribute {
  /// The router's version: the mark by which routers are known.
  static let version = "multiroute"
  /// The router's `--name`, which is not always the name in the network.
  static let name = "router"
}
