import ControlInterface
import SystemCalls

/// The reason why an operation on a socket failed.
public enum SocketError: Error, Hashable, Sendable {
  /// Another socket has the port. The holder is nil if the system does not name it.
  case addressInUse(Endpoint, holder: SocketHolder?)
  /// The text is neither an IP address nor the name of an interface or host. The second value lists this machine's interfaces.
  case unknownHost(String, interfaces: [String])
  /// Another program listens at this path of the file system. The holder is nil if the system does not name it.
  case pathInUse(String, holder: SocketHolder?)
  /// The file at this path is not a socket. It stays unchanged.
  case noSocket(String)
  /// A system call failed for the socket at a path of the file system.
  case atPath(String, call: String, number: Int32)
  /// The other end of a TCP connection has closed it.
  case closed(PeerAddress)
  /// A system call failed. The address is that of the other end, or the address to bind to.
  case system(call: String, number: Int32, address: PeerAddress?)

  /// The error number of the system.
  public var number: Int32 {
    switch self {
    case .addressInUse, .pathInUse, .noSocket: ErrorNumber.addressInUse.rawValue
    case .unknownHost: ErrorNumber.noSuchDevice.rawValue
    case .closed: ErrorNumber.connectionReset.rawValue
    case .atPath(_, _, let number), .system(_, let number, _): number
    }
  }

  /// Whether no program listens at the other end, as this machine reports or as the other machine has answered.
  public var isRefused: Bool {
    switch self {
    // The error is a broken pipe if the other end of a Unix socket was shut down but not closed.
    case .atPath(_, _, let number):
      [ErrorNumber.connectionRefused, .brokenPipe].map(\.rawValue).contains(number)
    default: number == ErrorNumber.connectionRefused.rawValue
    }
  }

  /// Whether there is no file at the path of a Unix socket.
  public var isMissing: Bool {
    if case .atPath(_, _, ErrorNumber.noSuchFile.rawValue) = self { true } else { false }
  }

  /// Whether the system refused the operation because this user has no permission.
  public var isDenied: Bool {
    [ErrorNumber.accessDenied, .notPermitted].map(\.rawValue).contains(number)
  }

  /// Makes the error of a failed system call. The address is that of the other end, or the address to bind to.
  init(_ error: SystemError, _ address: PeerAddress? = nil) {
    self = .system(call: error.call, number: error.number.rawValue, address: address)
  }

  /// Makes the error of a failed system call. The endpoint is that of the other end, or the endpoint to bind to.
  init(_ error: SystemError, at endpoint: Endpoint) {
    switch endpoint {
    case .udp(let host, let port), .tcp(let host, let port):
      self.init(error, PeerAddress(host: host, port: port))
    case .unix(let path): self.init(error, path: path)
    }
  }

  /// Makes the error of a failed system call for the socket at a path.
  init(_ error: SystemError, path: String) {
    self = .atPath(path, call: error.call, number: error.number.rawValue)
  }
}

extension SocketError: CustomStringConvertible {
  /// The reason, and a remedy if there is one, as sentences for the operator.
  public var description: String {
    switch self {
    case .addressInUse(let endpoint, nil):
      "\(Self.words(for: endpoint)) is in use by another program."
    case .addressInUse(let endpoint, let holder?):
      "\(Self.words(for: endpoint)) is in use by \(holder)."
    case .unknownHost(let name, let interfaces):
      "\"\(name)\" is neither an IP address nor a known name; the interfaces are \(interfaces.joined(separator: ", "))."
    case .pathInUse(let path, nil):
      "\(path) is in use by another program."
    case .pathInUse(let path, let holder?):
      "\(path) is in use by \(holder)."
    case .noSocket(let path):
      "\(path) exists and is not a socket."
    case .closed(let address):
      "The program at \(address) has closed the connection."
    case .atPath(let path, let call, let number):
      Self.sentence(SystemError(call, ErrorNumber(rawValue: number), path), path: path)
    case .system(let call, let number, let address):
      Self.sentence(SystemError(call, ErrorNumber(rawValue: number), address.map { "\($0)" }), address)
    }
  }

  private static func words(for endpoint: Endpoint) -> String {
    switch endpoint {
    case .udp(_, let port): "UDP port \(port)"
    case .tcp(_, let port): "TCP port \(port)"
    case .unix(let path): path
    }
  }

  private static func sentence(_ error: SystemError, path: String) -> String {
    switch error.number {
    case .connectionRefused, .brokenPipe: "No program listens at \(path)."
    case .noSuchFile where error.call == "connect": "There is no socket \(path)."
    case .noSuchFile: "The folder of \(path) does not exist."
    case .nameTooLong:
      "\(path) is too long for a socket; a path may have \(UnixAddress.longestPath) bytes."
    default: "\(error)."
    }
  }

  private static func sentence(_ error: SystemError, _ address: PeerAddress?) -> String {
    switch (error.number, address) {
    case (.connectionRefused, let address?):
      "No program listens at \(address)."
    case (.accessDenied, let address?) where address.port != 0 && address.port < 1_024:
      "Port \(address.port) is reserved for the system; choose one from 1024 upwards."
    case (.timedOut, let address?):
      "Nothing answers at \(address)."
    case (.invalidArgument, let address?) where address.host.isLinkLocal && address.host.scope == 0:
      "\(address.host) is at every interface; name one, such as \(address.host)%eth0."
    case (.addressNotAvailable, let address?):
      "No interface of this machine has the address \(address.host)."
    default: "\(error)."
    }
  }
}
