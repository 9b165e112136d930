import SystemCalls

/// Characters from a terminal. Belongs to one thread.
struct KeyReader {
  private let descriptor: Int32
  private var bytes: ArraySlice<UInt8> = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// The next character of UTF-8; nil if none comes in time.
  ///
  /// - Parameter milliseconds: the limit of each wait for bytes.
  /// - Throws: `Ended` at the end of the input, and when the terminal is gone.
  mutating func next(milliseconds: Int32) throws(Ended) -> Unicode.Scalar? {
    while true {
      if let scalar = take() { return scalar }
      guard (try? System.poll(descriptor, milliseconds: milliseconds)) ?? true else { return nil }
      guard let more = try? System.read(descriptor, count: 256), !more.isEmpty else { throw Ended() }
      bytes += more
    }
  }

  struct Ended: Error {}

  /// Takes a whole character; nil if its bytes have not all come.
  private mutating func take() -> Unicode.Scalar? {
    guard let first = bytes.first else { return nil }
    let length = first < 0xC0 ? 1 : (~first).leadingZeroBitCount
    guard bytes.count >= length else { return nil }
    let scalar = String(decoding: bytes.prefix(length), as: UTF8.self).unicodeScalars.first
    bytes = bytes.dropFirst(length)
    return scalar
  }
}
