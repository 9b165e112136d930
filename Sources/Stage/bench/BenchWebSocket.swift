import OSC
import SystemCalls

/// A WebSocket to a router, which reads no frames but bytes.
final class BenchWebSocket {
  private let descriptor: Int32
  /// The end of what was read, for a text that comes in two pieces.
  private var last: [UInt8] = []

  /// Connects, and waits for the answer to the request.
  /// - Throws: `SocketError`.
  init(port: UInt16) throws(SocketError) {
    do throws(SystemError) {
      descriptor = try System.socket(.ipv4, .stream)
      try System.sendAtOnce(descriptor)
      try System.connect(descriptor, to: .ipv4(host: 0x7f00_0001, port: port))
      let head =
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
      try System.writeAll(descriptor, Array(head.utf8))
    } catch { throw .system(call: error.call, number: error.number.rawValue, address: nil) }
    try wait(for: " 101 ")
  }

  deinit { System.close(descriptor) }

  /// Sends a packet in a frame, whose mask is zero.
  /// - Throws: `SocketError`.
  func send(_ packet: [UInt8]) throws(SocketError) {
    precondition(packet.count < 126)
    do throws(SystemError) {
      try System.writeAll(descriptor, [0x82, UInt8(packet.count) | 0x80, 0, 0, 0, 0] + packet)
    } catch { throw .system(call: error.call, number: error.number.rawValue, address: nil) }
  }

  /// Reads until a text comes; for at most ten seconds at a time.
  /// - Throws: `SocketError` if the connection ends.
  func wait(for text: String) throws(SocketError) {
    var last: [UInt8] = []
    do throws(SystemError) {
      while try System.poll(descriptor, milliseconds: 10_000) {
        let bytes = try System.read(descriptor, count: 65_536)
        guard !bytes.isEmpty else { throw SystemError("read", .connectionReset) }
        last = last.suffix(text.utf8.count) + bytes
        if String(decoding: last, as: UTF8.self).contains(text) { return }
      }
    } catch { throw .system(call: error.call, number: error.number.rawValue, address: nil) }
  }

  /// Reads what has come, and returns whether a text is among it.
  /// - Throws: `SocketError` if the connection ends.
  func hears(_ text: String) throws(SocketError) -> Bool {
    var isThere = false
    do throws(SystemError) {
      while !isThere, try System.poll(descriptor, milliseconds: 0) {
        let bytes = try System.read(descriptor, count: 65_536)
        guard !bytes.isEmpty else { throw SystemError("read", .connectionReset) }
        last = last.suffix(text.utf8.count) + bytes
        isThere = last.firstRange(of: Array(text.utf8)) != nil
      }
    } catch { throw .system(call: error.call, number: error.number.rawValue, address: nil) }
    return isThere
  }

  /// Reads and drops what has come.
  func drain() {
    while (try? System.poll(descriptor, milliseconds: 0)) == true,
      let bytes = try? System.read(descriptor, count: 65_536), !bytes.isEmpty
    {}
  }
}
