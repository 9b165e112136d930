import OSC
import Testing

/// Packets of a stream, and what the stream comes to.
struct FramedStream {
  private(set) var reader = FrameReader()
  private(set) var packets: [[UInt8]] = []
  private(set) var failure: FramingError?

  /// Reads bytes, unless the stream has failed.
  mutating func read(_ bytes: some Sequence<UInt8>) {
    guard failure == nil else { return }
    do throws(FramingError) {
      try reader.read(Array(bytes).span) { packet in
        packets.append(packet.withUnsafeBufferPointer { Array($0) })
      }
    } catch { failure = error }
  }

  /// A stream that has read these bytes at once.
  static func of(_ bytes: [UInt8]) -> Self {
    var stream = Self()
    stream.read(bytes)
    return stream
  }
}

@Suite("Framings of TCP")
struct FramingTests {
  /// Packets with every byte that a framing treats apart.
  private static let packets: [[UInt8]] = [
    Wire.text("/a..,..."), Wire.text("/b..,i..") + [0xc0, 0xdb, 0xdc, 0xdd],
    Wire.text("/c..,ii.") + [0xdb, 0xdb, 0xc0, 0xc0, 0, 0, 0, 0], Wire.bundle(Wire.text("/a..,...")),
  ]

  @Test("The first byte decides, and no byte that no framing begins with is taken")
  func firstByte() {
    for byte in UInt8.min...UInt8.max {
      let expected: Framing? =
        switch byte {
        case 0xc0, 0x2f, 0x23: .slip
        case 0: .length
        default: nil
        }
      #expect(Framing(firstByte: byte) == expected)
      let stream = FramedStream.of([byte])
      #expect(stream.failure == (expected == nil ? .unknown(byte) : nil))
    }
  }

  @Test("The bytes of a frame are exact")
  func bytes() {
    #expect(Framing.length.frame([1, 2, 3, 0xc0]) == [0, 0, 0, 4, 1, 2, 3, 0xc0])
    #expect(
      Framing.slip.frame([1, 0xc0, 2, 0xdb, 0xdc]) == [0xc0, 1, 0xdb, 0xdc, 2, 0xdb, 0xdd, 0xdc, 0xc0])
  }

  @Test("Packets come out as they went in, split at any place", arguments: Framing.allCases)
  func splits(_ framing: Framing) {
    let bytes = Self.packets.flatMap(framing.frame)
    #expect(FramedStream.of(bytes).packets == Self.packets)
    for place in 1..<bytes.count {
      var stream = FramedStream()
      stream.read(bytes[..<place])
      stream.read(bytes[place...])
      #expect(stream.packets == Self.packets && stream.failure == nil, "at \(place)")
    }
    var slow = FramedStream()
    for byte in bytes { slow.read([byte]) }
    #expect(slow.packets == Self.packets)
    #expect(slow.reader.framing == framing)
  }

  @Test("SLIP with one END behind each packet is understood, and spare ENDs are no packets")
  func singleEnd() {
    let packets = [Self.packets[0], Self.packets[3], Self.packets[0]]
    #expect(FramedStream.of(packets.flatMap { $0 + [0xc0] }).packets == packets)
    #expect(FramedStream.of(packets.flatMap { [0xc0, 0xc0] + $0 + [0xc0, 0xc0] }).packets == packets)
  }

  @Test(
    "A wrong escape costs its packet only",
    arguments: [[0xdb, 0x01], [0xdb], [0xdb, 0xdb, 0xdc]] as [[UInt8]])
  func escapes(_ wrong: [UInt8]) {
    let good = Self.packets[1]
    let stream = FramedStream.of(
      Framing.slip.frame(good) + Wire.text("/x..") + wrong + [0xc0] + Framing.slip.frame(good))
    #expect(stream.packets == [good, good])
    #expect(stream.reader.spoiled == 1 && stream.failure == nil)
  }

  @Test("A packet may have 64 KiB and not one byte more", arguments: Framing.allCases)
  func limit(_ framing: Framing) {
    let most = [UInt8](repeating: 0xc0, count: Framing.limit)
    #expect(FramedStream.of(framing.frame(most)).packets == [most])
    let stream = FramedStream.of(framing.frame(most + [0, 0, 0, 0]))
    #expect(stream.failure == .tooLong && stream.packets.isEmpty)
  }

  @Test("A stream without end is given up at the limit, whether its escapes are right or not")
  func endless() {
    for byte: [UInt8] in [[1], [0xdb, 0xdc], [0xdb, 1]] {
      var stream = FramedStream.of([0xc0])
      var count = 0
      while stream.failure == nil, count < 4 * Framing.limit {
        stream.read(byte)
        count += 1
      }
      #expect(stream.failure == .tooLong && count == Framing.limit + 1)
    }
  }

  @Test(
    "A wrong length is refused as soon as it has arrived",
    arguments: [
      (0, .badLength(0)), (6, .badLength(6)), (65_540, .tooLong), (200_000, .tooLong),
      (0x00ff_ffff, .tooLong),
    ] as [(UInt32, FramingError)])
  func lengths(_ length: UInt32, _ failure: FramingError) {
    #expect(FramedStream.of(Wire.words(length)).failure == failure)
    // M27: behind a good packet, the most significant byte may be anything.
    let good = Framing.length.frame(Self.packets[0])
    #expect(FramedStream.of(good + Wire.words(0xffff_ffff)).failure == .tooLong)
  }
}
