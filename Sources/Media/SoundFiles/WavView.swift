import SystemCalls

/// A wav file as libsndfile shall see it: with the lengths that it has, and without chunks that libsndfile stumbles over.
///
/// A recorder that crashed, and one that wrote to a pipe, leave a data chunk of 0 or 2^32 - 1 bytes. Some programs write a PEAK chunk for another
/// number of channels, for which libsndfile refuses the file, or a second data chunk. Other players play what is there. The file itself is not changed.
final class WavView: FilePart {
  /// Bytes that the library sees in the place of those of the file.
  private var patches: [(place: Int, bytes: [UInt8])] = []

  /// A declared length that is so many times the file's is no length.
  private static let absurd = 100

  /// - Returns: nil if the file is no wav file, or one that libsndfile reads as it is.
  init?(descriptor: Int32) {
    guard let size = (try? System.fstat(descriptor))?.size else { return nil }
    super.init(descriptor, 0..<size)
    let head = bytes(at: 0, count: 12)
    guard head.starts(with: "RIFF".utf8), head.dropFirst(8).elementsEqual("WAVE".utf8) else { return nil }
    inspect()
    guard !patches.isEmpty else { return nil }
    patch(4, Self.littleEndian(size - 8))
  }

  /// Looks at all chunks.
  private func inspect() {
    var (place, hasData) = (12, false)
    while let chunk = chunk(at: place) {
      let behind = size - place - 8
      if chunk.name == "data", !hasData {
        hasData = true
        if isUnfinished(chunk.size, at: place, behind: behind) {
          return patch(place + 4, Self.littleEndian(behind))
        }
      } else if chunk.name == "data" || chunk.name == "PEAK" {
        patch(place, Array("JUNK".utf8))
      }
      place += 8 + chunk.size + chunk.size % 2
    }
  }

  /// Whether the length of the data chunk was never written.
  private func isUnfinished(_ declared: Int, at place: Int, behind: Int) -> Bool {
    guard declared > 0 else { return behind > 0 && !isChain(from: place + 8) }
    return declared == Int(UInt32.max) || declared > behind * Self.absurd
  }

  /// Whether there is nothing but chunks from a place to the end.
  private func isChain(from place: Int) -> Bool {
    var place = place
    while place < size {
      guard let chunk = chunk(at: place), chunk.name.utf8.allSatisfy({ (32..<127).contains($0) }) else {
        return false
      }
      place += 8 + chunk.size + chunk.size % 2
    }
    return place <= size + 1
  }

  private func chunk(at place: Int) -> (name: String, size: Int)? {
    let bytes = bytes(at: place, count: 8)
    guard bytes.count == 8 else { return nil }
    let size = bytes[4...].reversed().reduce(0) { $0 << 8 | Int($1) }
    return (String(decoding: bytes[..<4], as: UTF8.self), size)
  }

  private func patch(_ place: Int, _ bytes: [UInt8]) { patches.append((place, bytes)) }

  /// A length of four bytes; the greatest one for what has no room there.
  private static func littleEndian(_ number: Int) -> [UInt8] {
    let number = UInt32(clamping: min(number, Int(UInt32.max) - 1))
    return (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  override func read(_ target: UnsafeMutableRawPointer, count: Int) -> Int {
    let start = place
    let count = super.read(target, count: count)
    for patch in patches {
      for (index, byte) in patch.bytes.enumerated() {
        let offset = patch.place + index - start
        if (0..<count).contains(offset) { target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self) }
      }
    }
    return count
  }
}
