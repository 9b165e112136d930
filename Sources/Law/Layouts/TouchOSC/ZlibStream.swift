/// Writes zlib streams (RFC 1950) of deflated data (RFC 1951), with the fixed code.
///
/// Layouts are the only data that the program packs, and repeat themselves so much that the simplest of the three kinds of blocks makes
/// them small; so no library is linked for them.
enum ZlibStream {
  static func bytes(of data: [UInt8]) -> [UInt8] {
    var bits = BitWriter(bytes: [0x78, 0x9C])
    // One block, the last one, with the fixed code.
    bits.write(1, count: 1)
    bits.write(1, count: 2)
    var position = 0
    var newest = [Int32](repeating: -1, count: 1 << hashBits)
    var earlier = [Int32](repeating: -1, count: data.count)
    func note(_ position: Int) {
      guard position + shortest <= data.count else { return }
      let hash = hash(data, position)
      (earlier[position], newest[hash]) = (newest[hash], Int32(position))
    }
    while position < data.count {
      let match = longestMatch(data, position, newest, earlier)
      if match.length >= shortest {
        bits.writeMatch(length: match.length, distance: match.distance)
        for skipped in position..<(position + match.length) { note(skipped) }
        position += match.length
      } else {
        bits.writeSymbol(Int(data[position]))
        note(position)
        position += 1
      }
    }
    bits.writeSymbol(256)
    bits.flush()
    return bits.bytes + checksum(data).bigEndianBytes
  }

  // MARK: Matches

  private static let (shortest, longest, farthest) = (3, 258, 32_768)
  private static let hashBits = 15
  /// How many earlier places are compared.
  private static let patience = 64

  private static func hash(_ data: [UInt8], _ position: Int) -> Int {
    let three = UInt32(data[position]) << 16 | UInt32(data[position + 1]) << 8 | UInt32(data[position + 2])
    return Int((three &* 0x9E37_79B1) >> (32 - UInt32(hashBits)))
  }

  private static func longestMatch(
    _ data: [UInt8], _ position: Int, _ newest: [Int32], _ earlier: [Int32]
  ) -> (length: Int, distance: Int) {
    guard position + shortest <= data.count else { return (0, 0) }
    let limit = min(longest, data.count - position)
    var best = (length: 0, distance: 0)
    var candidate = Int(newest[hash(data, position)])
    for _ in 0..<patience {
      guard candidate >= 0, position - candidate <= farthest, best.length < limit else { break }
      var length = 0
      while length < limit, data[candidate + length] == data[position + length] { length += 1 }
      if length > best.length { best = (length, position - candidate) }
      candidate = Int(earlier[candidate])
    }
    return best
  }

  /// The sum of RFC 1950 (Adler-32).
  private static func checksum(_ data: [UInt8]) -> UInt32 {
    var (low, high) = (UInt32(1), UInt32(0))
    for byte in data {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }
}

/// Writes numbers bit by bit, the lowest bit first.
private struct BitWriter {
  var bytes: [UInt8]
  private var pending: UInt32 = 0
  private var count = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func write(_ value: Int, count: Int) {
    pending |= UInt32(value) << UInt32(self.count)
    self.count += count
    while self.count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      self.count -= 8
    }
  }

  mutating func flush() {
    if count > 0 { write(0, count: 8 - count) }
  }

  /// Codes of Huffman go with their highest bit first.
  private mutating func writeCode(_ code: Int, count: Int) {
    for bit in (0..<count).reversed() { write(code >> bit & 1, count: 1) }
  }

  /// A literal byte, the end (256) or a length (257 and above), by the fixed code (RFC 1951, section 3.2.6).
  mutating func writeSymbol(_ symbol: Int) {
    switch symbol {
    case ..<144: writeCode(0x30 + symbol, count: 8)
    case ..<256: writeCode(0x190 + symbol - 144, count: 9)
    case ..<280: writeCode(symbol - 256, count: 7)
    default: writeCode(0xC0 + symbol - 280, count: 8)
    }
  }

  mutating func writeMatch(length: Int, distance: Int) {
    let long = Self.lengths.lastIndex { $0.first <= length }!
    writeSymbol(257 + long)
    write(length - Self.lengths[long].first, count: Self.lengths[long].extra)
    let far = Self.distances.lastIndex { $0.first <= distance }!
    writeCode(far, count: 5)
    write(distance - Self.distances[far].first, count: Self.distances[far].extra)
  }

  /// The codes of lengths and of distances: the first number of each, and how many bits tell the rest (RFC 1951, section 3.2.5).
  private static let lengths = ranges(from: 3, perStep: 4, codes: 28) + [(first: 258, extra: 0)]
  private static let distances = ranges(from: 1, perStep: 2, codes: 30)

  /// The first `2 * perStep` codes stand for one number each; then every `perStep` codes take one bit more.
  private static func ranges(from start: Int, perStep: Int, codes: Int) -> [(first: Int, extra: Int)] {
    var next = start
    return (0..<codes).map { code in
      let extra = max(0, code / perStep - 1)
      defer { next += 1 << extra }
      return (next, extra)
    }
  }
}

extension UInt32 {
  fileprivate var bigEndianBytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
  }
}
