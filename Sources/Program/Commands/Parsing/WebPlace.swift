public import OSC

/// Where a web server is asked for: a TCP port, or nowhere.
public enum WebPlace: Equatable, Sendable {
  case off
  case at(host: String, port: UInt16)

  /// Reads `HOST:PORT`, `PORT` at this machine alone, or `off`; nil for any other text.
  init?(_ text: String) {
    if text == "off" {
      self = .off
    } else if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(text) {
      self = .at(host: "127.0.0.1", port: port)
    } else if case .udp(let host, let port) = Endpoint(text) {
      self = .at(host: host, port: port)
    } else {
      return nil
    }
  }

  /// The correction of a text that is no place, as the end of a sentence; nil if the text is right.
  static func correction(of text: String) -> String? {
    if WebPlace(text) != nil { return nil }
    if Endpoint.isBareIPv6(text) { return "write an IPv6 address in brackets, such as [::1]:9470" }
    return
      "write HOST:PORT, such as 127.0.0.1:9480, with a port from 0 to 65535, PORT alone for this machine, or off"
  }

  /// The endpoint of TCP; nil if there is none.
  public var endpoint: Endpoint? {
    if case .at(let host, let port) = self { .tcp(host: host, port: port) } else { nil }
  }
}
