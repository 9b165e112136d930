import Glibc
public import OSC

extension CommandFailure {
  /// Why OSC cannot be received at an endpoint; who holds a port in use is named.
  public init(receivingAt endpoint: Endpoint, _ error: SocketError) {
    let reason = "multiroute: OSC cannot be received at \(endpoint): \(error)"
    switch error {
    case .addressInUse:
      self.init(.portInUse, reason, "Choose another port, or 0 for any free one: --osc \(endpoint.host):0")
    case .unknownHost: self.init(.usage, reason)
    case .system: self.init([EACCES, EPERM].contains(error.number) ? .denied : .unavailable, reason)
    }
  }
}
