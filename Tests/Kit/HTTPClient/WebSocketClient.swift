public import SystemCalls

/// A WebSocket to a web server of this machine (RFC 6455), which sends whatever frames a test wants to send.
public final class WebSocketClient {
  public let connection: HTTPConnection

  /// What the server sends.
  public enum Frame: Equatable {
    case text([UInt8])
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    /// The code of the reason.
    case close(Int)
    /// Any other first byte: the server sends no fragments.
    case other(UInt8)
  }

  /// The fields of a request for a WebSocket.
  public static let upgrade = [
    "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ]

  /// Connects, and asks for a WebSocket.
  ///
  /// - Parameters:
  ///   - fields: further fields of the request.
  ///   - receiveBuffer: bytes that the system keeps for a client that reads slowly; nil for the usual number.
  /// - Returns: nil if the server gives another answer, or none.
  public init?(port: UInt16, fields: [String] = [], receiveBuffer: Int32? = nil) throws(SystemError) {
    connection = try HTTPConnection(port: port, receiveBuffer: receiveBuffer)
    let answer = connection.ask("GET", "/", fields: Self.upgrade + fields)
    // The key above and this answer are the example of the standard.
    guard answer?.status == 101, answer?.fields["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    else { return nil }
  }

  /// The bytes of a frame, masked as a client must.
  public static func frame(_ first: UInt8, _ payload: [UInt8], isMasked: Bool = true) -> [UInt8] {
    let mask: [UInt8] = isMasked ? [0x12, 0x34, 0x56, 0x78] : []
    let bit: UInt8 = isMasked ? 0x80 : 0
    var bytes = [first]
    switch payload.count {
    case ..<126: bytes.append(UInt8(payload.count) | bit)
    case ..<65_536: bytes += [126 | bit, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    default: bytes += [127 | bit] + (0..<8).reversed().map { UInt8(payload.count >> (8 * $0) & 255) }
    }
    return bytes + mask + payload.enumerated().map { isMasked ? $1 ^ mask[$0 & 3] : $1 }
  }

  public func send(binary payload: [UInt8]) { connection.send(Self.frame(0x82, payload)) }
  public func send(text: String) { connection.send(Self.frame(0x81, Array(text.utf8))) }

  /// Waits for the next frame; nil if the connection ends, or if nothing comes for so many seconds.
  public func next(seconds: Double = 10) -> Frame? {
    guard let head = connection.bytes(2, seconds: seconds) else { return nil }
    var count = Int(head[1])
    if count >= 126 {
      guard let length = connection.bytes(count == 126 ? 2 : 8, seconds: seconds) else { return nil }
      count = length.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let payload = connection.bytes(count, seconds: seconds) else { return nil }
    return switch head[0] {
    case 0x81: .text(payload)
    case 0x82: .binary(payload)
    case 0x88: .close(payload.count < 2 ? 1_005 : Int(payload[0]) << 8 | Int(payload[1]))
    case 0x89: .ping(payload)
    case 0x8a: .pong(payload)
    default: .other(head[0])
    }
  }
}
