import CQrencode
public import SystemCalls

/// A QR code, made by libqrencode, which is loaded for the first one. The only file that calls the library.
public struct QRCode: Equatable, Sendable {
  /// The number of modules of a side, without the quiet zone.
  public let size: Int
  /// The modules, row by row from the top, `1` for a dark one.
  public let modules: String

  private static let library = DynamicLibrary.functions(
    mr_qrencode(), mr_qrencode_names(), of: .codes)

  /// Greatest size of a text, in bytes: that of a code which a telephone still reads from a screen.
  public static let mostBytes = 500

  /// Any thread; the first call may wait for the disk.
  ///
  /// - Returns: nil for a text that is empty or longer than `mostBytes`.
  /// - Throws: `Missing` if the library is not installed.
  public init?(_ text: String) throws(DynamicLibrary.Missing) {
    let calls = try Self.library.get()
    guard !text.isEmpty, text.utf8.count <= Self.mostBytes,
      let code = calls.QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M)
    else { return nil }
    defer { calls.QRcode_free(code) }
    size = Int(code.pointee.width)
    // Only the lowest bit is the colour (qrencode.h).
    modules = String(
      decoding: UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { 0x30 | $0 & 1 },
      as: UTF8.self)
  }
}
