import Foundation
import Testing

/// A TCP connection of bytes, without any framing.
final class RawTCP {
  private let descriptor: Int32

  /// Connects to a port of this machine.
  ///
  /// - Parameter host: the address of 127.0.0.0/8 that the connection comes from.
  init(port: UInt16, from host: UInt32 = 0x7f00_0001) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    try #require(Self.call(bind, descriptor, host, 0) == 0)
    try #require(Self.call(connect, descriptor, 0x7f00_0001, port) == 0)
  }

  deinit { close(descriptor) }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32, _ host: UInt32,
    _ port: UInt16
  ) -> Int32 {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    (name.sin_addr.s_addr, name.sin_port) = (host.bigEndian, port.bigEndian)
    return withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Sends bytes, as far as the other end takes them.
  func send(_ bytes: [UInt8]) {
    var first = 0
    while first < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress! + first, $0.count - first, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      first += count
    }
  }

  /// Reads so many bytes; fewer if the connection ends, or if nothing comes for 10 s.
  func read(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var part = [UInt8](repeating: 0, count: count - bytes.count)
      let size = recv(descriptor, &part, part.count, 0)
      guard size > 0 else { break }
      bytes += part[..<size]
    }
    return bytes
  }

  /// Waits until the other end closes the connection, and skips what it sends before; false if it stays open for 10 s.
  func isClosed() -> Bool {
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let size = recv(descriptor, &part, part.count, 0)
      if size == 0 { return true }
      if size < 0 { return errno == ECONNRESET }
    }
  }
}
