import SystemCalls

/// A part of an open file as a library shall see it: the first byte of the part is byte 0.
///
/// One thread at a time may use it. The caller keeps the descriptor open for as long as this object lives.
class FilePart {
  let descriptor: Int32
  private let start: Int
  /// In bytes.
  let size: Int
  /// The next byte that the library reads.
  var place = 0

  init(_ descriptor: Int32, _ range: Range<Int>) {
    (self.descriptor, start, size) = (descriptor, range.lowerBound, range.count)
  }

  /// The whole file.
  convenience init(_ descriptor: Int32) {
    self.init(descriptor, 0..<((try? System.fstat(descriptor))?.size ?? 0))
  }

  /// Bytes of the part, fewer at its end and where the disk fails.
  final func bytes(at place: Int, count: Int) -> [UInt8] {
    let count = min(count, max(0, size - place))
    return (try? System.pread(descriptor, count: count, at: start + place)) ?? []
  }

  /// Reads the next bytes. Returns their number.
  func read(_ target: UnsafeMutableRawPointer, count: Int) -> Int {
    let bytes = bytes(at: place, count: count)
    target.copyMemory(from: bytes, byteCount: bytes.count)
    place += bytes.count
    return bytes.count
  }
}
