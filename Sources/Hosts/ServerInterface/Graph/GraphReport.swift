public import MixKernel

/// The outcome of a request, and the server's graph after it.
public struct GraphReport: Sendable {
  /// The number of the request. It replaces all older requests.
  public var request: Int
  /// All existing ports of ours, by name.
  public var ports: [String: PortHandle] = [:]
  /// Ports that the server refused, by name.
  public var refusedPorts: [String: AudioServerError] = [:]
  /// Why the server did not change its period; nil if it did, or was not asked.
  public var periodRefusal: AudioServerError?
  /// The graph after the request.
  public var graph = GraphSnapshot()
  public init(request: Int) { self.request = request }
}

/// The server's ports and connections at one moment.
public struct GraphSnapshot: Equatable, Sendable {
  /// The ports of all other clients.
  public var ports: [SystemPort] = []
  /// For each port, by full name, the full names of the ports it is connected to. Contains ports of ours and
  /// ports in `GraphRequest.observed`, but no unconnected ones.
  public var connections: [String: [String]] = [:]
  /// The largest latency in frames, by full name: for inputs of devices the one to the loudspeaker, for
  /// outputs of devices the one from the microphone.
  public var latencies: [String: Int] = [:]
  public init() {}

  /// Full names of the ports that a port is connected to.
  public func connections(of port: String) -> [String] { connections[port] ?? [] }

  /// Whether a port is connected to anything.
  public func isConnected(_ port: String) -> Bool { connections[port] != nil }

  /// Adds a connection that a notice has told of.
  public mutating func add(_ link: Link) {
    for (port, other) in [(link.source, link.sink), (link.sink, link.source)]
    where !connections(of: port).contains(other) {
      connections[port, default: []].append(other)
    }
  }

  /// Removes a connection.
  public mutating func remove(_ link: Link) {
    for (port, other) in [(link.source, link.sink), (link.sink, link.source)] {
      connections[port]?.removeAll { $0 == other }
      if connections[port]?.isEmpty == true { connections[port] = nil }
    }
  }

  /// Whether a connection exists; one of its two ends must be a port of ours.
  public func has(_ link: Link) -> Bool {
    connections[link.source]?.contains(link.sink) ?? connections[link.sink]?.contains(link.source) ?? false
  }
}
