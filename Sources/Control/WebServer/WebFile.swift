import SystemCalls

/// A file that is the body of an answer. It is read while the client takes it, and closed with the last reference to this object.
public final class WebFile: Equatable, Sendable {
  private let descriptor: Int32
  /// Bytes of the body. What is appended later is not sent.
  let size: Int

  /// - Parameters:
  ///   - descriptor: an open plain file, which belongs to this object from now on.
  ///   - size: its bytes, as the answer promises them.
  public init(_ descriptor: Int32, size: Int) { (self.descriptor, self.size) = (descriptor, size) }

  deinit { System.close(descriptor) }

  public static func == (one: WebFile, other: WebFile) -> Bool { one === other }

  /// The next bytes from a place on; nil if they cannot be read, or the file has become shorter. Blocks on the disk.
  func read(at offset: Int, most: Int) -> [UInt8]? {
    let count = min(most, size - offset)
    guard let bytes = try? System.pread(descriptor, count: count, at: offset), !bytes.isEmpty else {
      return nil
    }
    return bytes
  }
}
