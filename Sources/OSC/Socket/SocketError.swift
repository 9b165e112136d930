import Glibc

/// Why a socket could not do what was asked.
public enum SocketError: Error, Hashable, Sendable {
  /// Another socket has the port; the holder is named where the system tells.
  case addressInUse(PeerAddress, holder: SocketHolder?)
  /// Neither an IPv4 address nor the name of an interface or host; with what there is.
  case unknownHost(String, interfaces: [String])
  /// A call into the system failed.
  case system(call: String, number: Int32, address: PeerAddress?)

  /// The error number of the system.
  public var number: Int32 {
    switch self {
    case .addressInUse: EADDRINUSE
    case .unknownHost: ENXIO
    case .system(_, let number, _): number
    }
  }

  /// Whether nobody listens at the other end, as far as this machine was told.
  public var isRefused: Bool { number == ECONNREFUSED }
}

extension SocketError: CustomStringConvertible {
  /// What went wrong and what would help, as plain sentences.
  public var description: String {
    switch self {
    case .addressInUse(let address, nil):
      "UDP port \(address.port) is in use by another program."
    case .addressInUse(let address, let holder?):
      "UDP port \(address.port) is in use by \(holder)."
    case .unknownHost(let name, let interfaces):
      "\"\(name)\" is neither an IPv4 address nor known here; the interfaces are \(interfaces.joined(separator: ", "))."
    case .system(_, ECONNREFUSED, let address?):
      "Nobody listens at \(address)."
    case .system(_, EACCES, let address?) where address.port != 0 && address.port < 1_024:
      "UDP port \(address.port) is reserved for the system; take one from 1024 upwards."
    case .system(_, EADDRNOTAVAIL, let address?):
      "No interface of this machine has the address \(address.hostText)."
    case .system(let call, let number, let address):
      "\(call)\(address.map { " for \($0)" } ?? "") failed: \(String(cString: strerror(number)))."
    }
  }
}
