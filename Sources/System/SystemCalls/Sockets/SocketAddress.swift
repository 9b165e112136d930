import Glibc

/// The address of a socket, for the kinds of sockets that this program uses.
public enum SocketAddress: Hashable, Sendable {
  /// An IPv4 address. The first octet is the most significant byte; the port is in the processor's byte
  /// order.
  case ipv4(host: UInt32, port: UInt16)
  /// An IPv6 address, in the same order. The scope is the index of the interface of a link-local address, otherwise 0.
  case ipv6(host: UInt128, scope: UInt32, port: UInt16)
  /// A Unix socket of this machine, with a path of at most 107 bytes.
  case unix(path: String)
  /// A Unix socket with a name of at most 107 bytes and without a file: an abstract address (unix(7)). The system chooses such names.
  case abstract(name: [UInt8])
  /// A Unix socket without a name. Binding to this address lets the system choose a free name.
  case unnamed

  /// Passes the address in the system's format.
  /// - Throws: `SystemError` with `nameTooLong`.
  func withSystemAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) throws(SystemError) -> Result {
    switch self {
    case .ipv4(let host, let port):
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      (name.sin_port, name.sin_addr.s_addr) = (port.bigEndian, host.bigEndian)
      return Self.with(&name, size: MemoryLayout<sockaddr_in>.size, body)
    case .ipv6(let host, let scope, let port):
      var name = sockaddr_in6()
      name.sin6_family = sa_family_t(AF_INET6)
      (name.sin6_port, name.sin6_addr, name.sin6_scope_id) = (port.bigEndian, in6_addr(host), scope)
      return Self.with(&name, size: MemoryLayout<sockaddr_in6>.size, body)
    case .unix(let path):
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      // The system requires a zero after the path.
      guard path.utf8.count < MemoryLayout.size(ofValue: name.sun_path) else {
        throw SystemError("socket", .nameTooLong, path)
      }
      withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
      return Self.with(&name, size: MemoryLayout<sockaddr_un>.size, body)
    case .abstract(let bytes):
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      guard bytes.count < MemoryLayout.size(ofValue: name.sun_path) else {
        throw SystemError("socket", .nameTooLong, "\(self)")
      }
      // An abstract name follows a zero, and has no zero at its end.
      withUnsafeMutableBytes(of: &name.sun_path) {
        UnsafeMutableRawBufferPointer(rebasing: $0[1...]).copyBytes(from: bytes)
      }
      return Self.with(&name, size: Self.pathOffset + 1 + bytes.count, body)
    case .unnamed:
      var name = sockaddr(sa_family: sa_family_t(AF_UNIX), sa_data: sockaddr().sa_data)
      return Self.with(&name, size: MemoryLayout<sa_family_t>.size, body)
    }
  }

  /// Bytes before the path.
  private static let pathOffset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2

  private static func with<Name, Result>(
    _ name: inout Name, size: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(size)) }
    }
  }

  /// Lets the system write an address; nil if the address is of another kind.
  static func filled<Result>(
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
  ) -> (result: Result, address: SocketAddress?) {
    var name = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &size) }
    }
    return (result, withUnsafeBytes(of: &name) { Self($0, size: Int(size)) })
  }

  /// Reads an address in the system's format; nil if it is of another kind.
  init?(_ bytes: UnsafeRawBufferPointer, size: Int) {
    // The sender of a datagram may have no address at all.
    guard size >= MemoryLayout<sa_family_t>.size else {
      self = .unnamed
      return
    }
    switch Int32(bytes.loadUnaligned(as: sa_family_t.self)) {
    case AF_INET:
      let name = bytes.loadUnaligned(as: sockaddr_in.self)
      self = .ipv4(host: UInt32(bigEndian: name.sin_addr.s_addr), port: UInt16(bigEndian: name.sin_port))
    case AF_INET6:
      let name = bytes.loadUnaligned(as: sockaddr_in6.self)
      self = .ipv6(
        host: UInt128(name.sin6_addr), scope: name.sin6_scope_id, port: UInt16(bigEndian: name.sin6_port))
    case AF_UNIX:
      let name = bytes[min(Self.pathOffset, size)..<min(size, bytes.count)]
      switch name.first {
      case nil: self = .unnamed
      case 0: self = .abstract(name: Array(name.dropFirst()))
      case _: self = .unix(path: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
      }
    default: return nil
    }
  }
}

extension SocketAddress: CustomStringConvertible {
  /// For example `127.0.0.1:9000` or `[::1]:9000`, or the path.
  public var description: String {
    switch self {
    case .ipv4(let host, let port):
      "\(host >> 24).\(host >> 16 & 255).\(host >> 8 & 255).\(host & 255):\(port)"
    case .ipv6(let host, let scope, let port):
      "[\(System.inet_ntop(host))\(scope == 0 ? "" : "%\(scope)")]:\(port)"
    case .unix(let path): path
    case .abstract(let name): "@" + String(decoding: name, as: UTF8.self)
    case .unnamed: "a socket without a name"
    }
  }
}

extension in6_addr {
  init(_ number: UInt128) {
    self.init()
    withUnsafeMutableBytes(of: &self) { bytes in
      withUnsafeBytes(of: number.bigEndian) { bytes.copyMemory(from: $0) }
    }
  }
}

extension UInt128 {
  init(_ address: in6_addr) {
    self.init(bigEndian: withUnsafeBytes(of: address) { $0.loadUnaligned(as: UInt128.self) })
  }
}
