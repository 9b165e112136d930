public import ControlInterface
public import OSC

extension Admission {
  /// One sentence for each surface that gets nothing, because no socket of the router sends over IPv4 or IPv6 as its address needs.
  public func unreachableSurfaces(from endpoints: [Endpoint]) -> [String] {
    let hosts = endpoints.compactMap { endpoint in
      if case .udp(let host, _) = endpoint { HostAddress(host) } else { nil }
    }
    return surfaces.filter { surface in !hosts.contains { $0.isIPv4 == surface.host.isIPv4 } }.map {
      "the surface \($0.name) gets nothing: it has the address \($0.host), and no --osc is UDP over \($0.host.isIPv4 ? "IPv4" : "IPv6")"
    }
  }
}
