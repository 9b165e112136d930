import SystemCalls

/// Splits the bytes from a socket, such as a child's output, into lines. Belongs to one thread at a time.
public struct LineStream {
  private let descriptor: Int32
  private let limit: Int
  private var rest: [UInt8] = []
  /// Whether the stream has ended.
  public private(set) var hasEnded = false

  /// - Parameters:
  ///   - descriptor: the socket. The caller closes it.
  ///   - limit: the most bytes of a line; a longer line is dropped.
  public init(_ descriptor: Int32, limit: Int = 1 << 20) {
    (self.descriptor, self.limit) = (descriptor, limit)
  }

  /// Reads the bytes that have arrived, without waiting.
  public mutating func receive() {
    do throws(SystemError) {
      guard let bytes = try System.recv(descriptor, count: 4_096) else { return }
      hasEnded = bytes.isEmpty
      rest += bytes
    } catch {
      hasEnded = true
    }
  }

  /// The next complete line, without its line end. After the end of the stream, the rest, unless that is
  /// empty.
  public mutating func takeLine() -> String? {
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
      if rest.count > limit { rest = [] }
      return hasEnded ? takeRest() : nil
    }
    defer { rest.removeSubrange(...end) }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  /// The bytes after the last line end; nil if there are none.
  public mutating func takeRest() -> String? {
    defer { rest = [] }
    return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
  }

  /// Waits for the next line. Returns nil at the end of the stream or when the time is over.
  ///
  /// - Parameter milliseconds: the limit of each wait for more bytes of a line; a negative number means no
  ///   limit.
  public mutating func next(milliseconds: Int32 = -1) -> String? {
    while true {
      if let line = takeLine() { return line }
      guard !hasEnded, (try? System.poll(descriptor, milliseconds: milliseconds)) == true else { return nil }
      receive()
    }
  }
}
