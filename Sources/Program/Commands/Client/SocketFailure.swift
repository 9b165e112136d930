public import OSC

extension CommandFailure {
  /// Explains why a web server cannot serve at an endpoint.
  ///
  /// - Parameters:
  ///   - what: what it serves, such as `metrics`.
  ///   - flag: the flag that chooses the endpoint.
  public init(serving what: String, _ flag: String, at endpoint: Endpoint, _ error: SocketError) {
    let place = endpoint.description.dropFirst(Endpoint.tcpPrefix.count)
    let reason = "multiroute: \(what) cannot be served at \(place): \(error)"
    switch error {
    case .addressInUse(let endpoint, _):
      let free = endpoint.withFreePort.description.dropFirst(Endpoint.tcpPrefix.count)
      self.init(.portInUse, reason, "Choose another port, or 0 for any free one: \(flag) \(free)")
    case .unknownHost: self.init(.usage, reason)
    case .pathInUse, .noSocket, .atPath, .system, .closed:
      self.init(error.isDenied ? .denied : .unavailable, reason)
    }
  }

  /// Explains why OSC cannot be received at an endpoint. If the port is in use, the message names the program that uses it.
  public init(receivingAt endpoint: Endpoint, _ error: SocketError) {
    let reason = "multiroute: OSC cannot be received at \(endpoint): \(error)"
    switch error {
    case .addressInUse(let endpoint, _):
      self.init(
        .portInUse, reason, "Choose another port, or 0 for any free one: --osc \(endpoint.withFreePort)")
    case .unknownHost: self.init(.usage, reason)
    case .pathInUse:
      self.init(
        .portInUse, reason, "Give this router another name, --name, or another path, --osc unix:PATH.")
    case .noSocket: self.init(.portInUse, reason)
    case .atPath, .system, .closed: self.init(error.isDenied ? .denied : .unavailable, reason)
    }
  }
}

extension Endpoint {
  /// The same endpoint with a port that the system chooses.
  fileprivate var withFreePort: Endpoint {
    switch self {
    case .udp(let host, _): .udp(host: host, port: 0)
    case .tcp(let host, _): .tcp(host: host, port: 0)
    case .unix: self
    }
  }
}
