import CWebsockets
import SystemCalls

/// The functions of libwebsockets that are used. It is loaded when the first web server starts: with the libraries that it needs, it costs
/// memory that a router without one does not have to spend. Only `WebLoop` and its extensions call them.
struct WebsocketsCalls: Sendable {
  let calls: mr_websockets

  private static let library = DynamicLibrary.functions(
    mr_websockets(), mr_websockets_names(), of: "libwebsockets.so.17",
    advice: "install the package libwebsockets17")

  /// Loads the library, if that has not been done.
  /// - Throws: `DynamicLibrary.Missing` if it is not installed.
  static func load() throws(DynamicLibrary.Missing) -> WebsocketsCalls {
    WebsocketsCalls(calls: try library.get())
  }
}

extension mr_websockets {
  /// Sends bytes over a connection. What the system does not take at once, the library keeps.
  ///
  /// - Returns: false if the connection has failed.
  func write(_ bytes: some Collection<UInt8>, _ kind: lws_write_protocol, to connection: OpaquePointer)
    -> Bool
  {
    let room = mr_websockets_room
    var buffer = [UInt8](repeating: 0, count: room) + bytes
    return buffer.withUnsafeMutableBufferPointer {
      lws_write(connection, $0.baseAddress! + room, bytes.count, kind) >= Int32(bytes.count)
    }
  }
}
