import ControlInterface
import OSC
import ServiceDiscovery

extension NetworkService {
  /// The service at an endpoint where OSC is received; nil for a Unix socket.
  init?(_ endpoint: Endpoint) {
    let (kind, text, port): (Kind, String, UInt16)
    switch endpoint {
    case .udp(let host, let number): (kind, text, port) = (.oscOverUDP, host, number)
    case .tcp(let host, let number): (kind, text, port) = (.oscOverTCP, host, number)
    case .unix: return nil
    }
    guard let host = HostAddress(text) else { return nil }
    self.init(kind, host: host, port: port)
  }
}

extension NetworkService {
  /// The services at the port of HTTP: OSCQuery, and pages for browsers.
  static func ofPages(at endpoint: Endpoint?) -> [NetworkService] {
    guard case .tcp(let text, let port)? = endpoint, let host = HostAddress(text) else { return [] }
    return [.oscQuery, .page].map { NetworkService($0, host: host, port: port) }
  }
}
