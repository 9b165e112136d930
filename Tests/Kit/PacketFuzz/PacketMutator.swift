public import Chance
import OSC

/// Makes damaged OSC packets: each is a valid packet that was changed in a few places.
public struct PacketMutator {
  /// The source of all choices. The same seed makes the same packets.
  public var chance: SeededGenerator
  private let seeds: [[UInt8]]

  /// - Parameters:
  ///   - seed: of the source of all choices.
  ///   - seeds: the valid packets.
  public init(seed: UInt64, seeds: [[UInt8]] = Self.everyShape) {
    (chance, self.seeds) = (SeededGenerator(seed: seed), seeds)
  }

  /// The next packet.
  public mutating func next() -> [UInt8] {
    var bytes = seeds.randomElement(using: &chance)!
    for _ in 0..<Int.random(in: 1...4, using: &chance) { change(&bytes) }
    return bytes
  }

  /// Valid packets of every shape.
  public static let everyShape: [[UInt8]] = {
    let all = OSCMessage(
      "/session/music/gain", .int32(-3), .float(.nan), .string("text"), .blob([1, 2, 3, 4, 5]),
      .int64(1 << 40),
      .timetag(.immediately), .double(2.5), .symbol("symbol"), .character(0x41), .colour(0xff00_ff00),
      .midi(0x0090_3c7f), .boolean(true), .boolean(false), .null, .impulse)
    let short = OSCMessage("/a")
    let inner = OSCBundle([.message(short), .message(all)])
    let nested = OSCBundle(
      timetag: OSCTimetag(seconds: 1, fraction: 2), [.bundle(inner), .message(short), .bundle(OSCBundle([]))])
    let many = OSCBundle(Array(repeating: .message(short), count: 255))
    let full = OSCMessage("/full", Array(repeating: .int32(7), count: 64))
    let deep = (0..<8).reduce(OSCPacket.message(short)) { packet, _ in .bundle(OSCBundle([packet])) }
    return [
      PacketEncoder.encode(all), PacketEncoder.encode(short), PacketEncoder.encode(nested),
      Array("/a\0\0".utf8), Array("/a\0\0,[i][ir]\0\0\0\0".utf8) + [1, 2, 3].flatMap { bytes($0) },
      PacketEncoder.encode(many), PacketEncoder.encode(full), PacketEncoder.encode(deep),
    ]
  }()

  /// Numbers that are likely to be wrong as lengths and tags.
  private static let words: [UInt32] = [
    0, 1, 3, 4, 8, 0x7fff_ffff, 0x7fff_fff0, 0x8000_0000, 0xffff_fffc, 0xffff_ffff, 0x2c62_0000, 0x2c5b_5d00,
    0x2362_756e, 0x2f61_0000, 0x2c73_0000, 0x2c72_6900, 0x7f80_0001,
  ]

  /// Changes a packet at one place.
  private mutating func change(_ bytes: inout [UInt8]) {
    guard bytes.count >= 4 else {
      bytes += Self.bytes(0x2f61_0000)
      return
    }
    let index = Int.random(in: 0..<bytes.count, using: &chance)
    let aligned = index & ~3
    switch Int.random(in: 0..<9, using: &chance) {
    case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
    case 1: bytes[index] = UInt8.random(in: 0...255, using: &chance)
    case 2: bytes[index] = Array("/#,[]rbsihtdTFNIcmSx\0".utf8).randomElement(using: &chance)!
    case 3: bytes.replaceSubrange(aligned..<min(aligned + 4, bytes.count), with: word())
    case 4: bytes.insert(contentsOf: word(), at: aligned)
    case 5: bytes.removeSubrange(aligned..<min(aligned + 4, bytes.count))
    case 6: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &chance) & ~3)
    case 7: bytes.removeLast(1)
    default:
      let other = seeds.randomElement(using: &chance)!
      bytes += chance.next() & 1 == 0 ? other : Self.bytes(UInt32(other.count)) + other
    }
  }

  private mutating func word() -> [UInt8] { Self.bytes(Self.words.randomElement(using: &chance)!) }

  private static func bytes(_ word: UInt32) -> [UInt8] {
    withUnsafeBytes(of: word.bigEndian) { Array($0) }
  }
}
