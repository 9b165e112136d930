import SystemCalls

/// Lines from standard input, which is no terminal or one that is not edited.
struct InputLines {
  private var bytes: [UInt8] = []
  private var hasEnded = false

  /// The most bytes of a line.
  private static let limit = 65_536
  /// Milliseconds until an interruption is noticed.
  private static let patience: Int32 = 50

  /// Waits for the next line; nil at the end of the input, and after an interruption.
  /// - Throws: `CommandFailure` if a line is too long, or the input cannot be read.
  mutating func next(unless isInterrupted: () -> Bool) throws(CommandFailure) -> String? {
    while !isInterrupted() {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        defer { bytes.removeSubrange(...end) }
        return String(decoding: bytes[..<end], as: UTF8.self)
      }
      guard bytes.count <= Self.limit else {
        throw CommandFailure(.usage, "multiroute: a line has more than \(Self.limit) bytes.")
      }
      if hasEnded {
        defer { bytes = [] }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
      }
      do throws(SystemError) {
        guard try System.poll(System.standardInput, milliseconds: Self.patience) else { continue }
        let more = try System.read(System.standardInput, count: 4_096)
        bytes += more
        hasEnded = more.isEmpty
      } catch {
        throw CommandFailure(.unreadableFile, "multiroute: standard input cannot be read: \(error.reason).")
      }
    }
    return nil
  }
}
