import CWebsockets
import SystemCalls

/// The functions of libwebsockets that are used. It is loaded when the first web server starts: with the libraries that it needs, it costs
/// memory that a router without one does not have to spend. Only `WebLoop` and its extensions call them.
struct WebsocketsCalls: Sendable {
  let calls: mr_websockets
  /// A constant of the program.
  private nonisolated(unsafe) let layout: UnsafePointer<mr_websockets_layout>

  private static let library = DynamicLibrary.functions(
    mr_websockets(), mr_websockets_names(), of: .web
  ).flatMap { calls in
    let version = calls.lws_get_library_version().map { String(cString: $0) } ?? ""
    return layout(of: version).map { .success(WebsocketsCalls(calls: calls, layout: $0)) }
      ?? .failure(unknown(version))
  }

  /// Loads the library, if that has not been done.
  /// - Throws: `DynamicLibrary.Missing` if it is not installed, or of a version that is not known.
  static func load() throws(DynamicLibrary.Missing) -> WebsocketsCalls { try library.get() }

  /// Where a version of the library has the fields that are set; nil if it is not known.
  static func layout(of version: String) -> UnsafePointer<mr_websockets_layout>? {
    let layouts = UnsafeBufferPointer(start: mr_websockets_layouts(), count: Int(mr_websockets_layout_count))
    return layouts.indices.first { version.hasPrefix(String(cString: layouts[$0].version)) }
      .map { layouts.baseAddress! + $0 }
  }

  static func unknown(_ version: String) -> DynamicLibrary.Missing {
    let layouts = UnsafeBufferPointer(start: mr_websockets_layouts(), count: Int(mr_websockets_layout_count))
    let known = layouts.map { String(cString: $0.version).dropLast() }.joined(separator: ", ")
    return DynamicLibrary.Missing(
      "libwebsockets \(version) is of a version that is not known here, which knows \(known); \(LoadedLibrary.web.package.advice())"
    )
  }

  /// Calls `body` with what is set of `info` in the layout of the library.
  func laid<Result>(
    _ info: lws_context_creation_info, _ body: (UnsafePointer<lws_context_creation_info>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(byteCount: Int(mr_websockets_info_size), alignment: 16) { bytes in
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      withUnsafePointer(to: info) { mr_websockets_lay(layout, $0, bytes.baseAddress!) }
      return body(bytes.baseAddress!.assumingMemoryBound(to: lws_context_creation_info.self))
    }
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
