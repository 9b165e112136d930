import SystemCalls

/// The address of a Unix socket: a path, a name that the system chose and that no file has, or none (unix(7)).
public struct UnixAddress: Hashable, Sendable {
  /// The address for the system's calls.
  let socketAddress: SocketAddress

  /// Greatest length of a path in bytes, without the zero at its end.
  static let longestPath = 107

  /// - Throws: `SocketError` if the path is too long for a socket, or empty.
  public init(path: String) throws(SocketError) {
    guard path.utf8.count <= Self.longestPath else {
      throw .atPath(path, call: "bind", number: ErrorNumber.nameTooLong.rawValue)
    }
    guard !path.isEmpty else {
      throw .atPath(path, call: "bind", number: ErrorNumber.noSuchFile.rawValue)
    }
    socketAddress = .unix(path: path)
  }

  /// Converts an address of the system's calls.
  init(_ address: SocketAddress) { socketAddress = address }

  /// Whether the socket has a path or name, so that datagrams can be sent to it.
  public var isBound: Bool {
    switch socketAddress {
    case .unix, .abstract: true
    case .unnamed, .ipv4, .ipv6: false
    }
  }
}

extension UnixAddress: CustomStringConvertible {
  /// The path, or `@name`.
  public var description: String { "\(socketAddress)" }
}
