import CZlib
public import SystemCalls

/// Packs data with zlib. The only file that calls the library, which is loaded when it is first needed.
public enum ZlibStream {
  private static let library = DynamicLibrary.functions(
    mr_zlib(), mr_zlib_names(), of: .compression)

  /// The zlib stream (RFC 1950) of some data, as small as the library can make it. Any thread.
  /// - Throws: `Missing` if the library is not installed.
  public static func bytes(of data: [UInt8]) throws(DynamicLibrary.Missing) -> [UInt8] {
    let calls = try library.get()
    var length = calls.compressBound(UInt(data.count))
    return [UInt8](unsafeUninitializedCapacity: Int(length)) { room, count in
      let code = calls.compress2(room.baseAddress, &length, data, UInt(data.count), Z_BEST_COMPRESSION)
      // There is room enough and the level is a valid one.
      precondition(code == Z_OK, "zlib has no memory")
      count = Int(length)
    }
  }
}
