import Chance
import OSC
import Testing

@Suite("Random packets")
struct FuzzTests {
  /// Valid packets of every shape, from which the others are made.
  static let seeds: [[UInt8]] = {
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
      PacketEncoder.encode(all), PacketEncoder.encode(short), PacketEncoder.encode(nested), Wire.text("/a.."),
      Wire.text("/a..,[i][ir].") + Wire.text("...") + Wire.words(1, 2, 3), PacketEncoder.encode(many),
      PacketEncoder.encode(full), PacketEncoder.encode(deep),
    ]
  }()

  /// Numbers that are likely to be wrong as lengths and tags.
  private static let words: [UInt32] = [
    0, 1, 3, 4, 8, 0x7fff_ffff, 0x7fff_fff0, 0x8000_0000, 0xffff_fffc, 0xffff_ffff, 0x2c62_0000, 0x2c5b_5d00,
    0x2362_756e, 0x2f61_0000, 0x2c73_0000, 0x2c72_6900, 0x7f80_0001,
  ]

  /// Changes a packet at one place.
  private static func mutate(_ bytes: inout [UInt8], _ chance: inout SeededGenerator) {
    guard bytes.count >= 4 else {
      bytes += Wire.words(0x2f61_0000)
      return
    }
    let index = Int.random(in: 0..<bytes.count, using: &chance)
    let aligned = index & ~3
    switch Int.random(in: 0..<9, using: &chance) {
    case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
    case 1: bytes[index] = UInt8.random(in: 0...255, using: &chance)
    case 2: bytes[index] = Array("/#,[]rbsihtdTFNIcmSx\0".utf8).randomElement(using: &chance)!
    case 3: bytes.replaceSubrange(aligned..<min(aligned + 4, bytes.count), with: word(&chance))
    case 4: bytes.insert(contentsOf: word(&chance), at: aligned)
    case 5: bytes.removeSubrange(aligned..<min(aligned + 4, bytes.count))
    case 6: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &chance) & ~3)
    case 7: bytes.removeLast(1)
    default:
      let other = seeds.randomElement(using: &chance)!
      bytes += chance.next() & 1 == 0 ? other : Wire.words(UInt32(other.count)) + other
    }
  }

  private static func word(_ chance: inout SeededGenerator) -> [UInt8] {
    Wire.words(words.randomElement(using: &chance)!)
  }

  @Test(
    "A packet that was decoded stays the same when it is encoded and decoded again, and no bytes crash the decoder",
    arguments: 0..<4)
  func mutations(run: Int) throws {
    var chance = SeededGenerator(seed: UInt64(run))
    let decoder = PacketDecoder()
    // Repaired texts are longer than what was sent.
    let generous = PacketDecoder(limits: .answer)
    var reasons: [OSCDecodeError: Int] = [:]
    var accepted = 0
    for _ in 0..<50_000 {
      var bytes = Self.seeds.randomElement(using: &chance)!
      for _ in 0..<Int.random(in: 1...4, using: &chance) { Self.mutate(&bytes, &chance) }
      let packet: OSCPacket
      do throws(OSCDecodeError) {
        packet = try decoder.decode(bytes)
      } catch {
        reasons[error, default: 0] += 1
        continue
      }
      accepted += 1
      let encoded = PacketEncoder.encode(packet)
      let again = try generous.decode(encoded)
      if Bits(again) != Bits(packet) || PacketEncoder.encode(again) != encoded {
        Issue.record("changed on the way: \(bytes)")
      }
    }
    // The positive control: there were enough of both.
    #expect(accepted > 5_000)
    for reason in OSCDecodeError.allCases where ![.refusedByCodec, .oversize].contains(reason) {
      #expect(reasons[reason, default: 0] > 0, "no packet was dropped because: \(reason)")
    }
    #expect(reasons[.refusedByCodec] == nil, "liblo refused a packet that the layout check had accepted")
  }

  @Test("A difference in one bit of a NaN is a difference")
  func positiveControl() {
    let one = OSCPacket.message(OSCMessage("/a", .float(Float(bitPattern: 0x7fc0_0001))))
    let other = OSCPacket.message(OSCMessage("/a", .float(Float(bitPattern: 0x7fc0_0002))))
    #expect(Bits(one) == Bits(one))
    #expect(Bits(one) != Bits(other))
  }

  /// A packet compared by bits: a NaN equals itself.
  private struct Bits: Equatable {
    private let packet: OSCPacket

    init(_ packet: OSCPacket) { self.packet = Self.exact(packet) }

    private static func exact(_ packet: OSCPacket) -> OSCPacket {
      switch packet {
      case .message(let message): .message(OSCMessage(message.address, message.arguments.map(exact)))
      case .bundle(let bundle): .bundle(OSCBundle(timetag: bundle.timetag, bundle.elements.map(exact)))
      }
    }

    /// A text in front, which no other value has, distinguishes the types.
    private static func exact(_ argument: OSCArgument) -> OSCArgument {
      switch argument {
      case .float(let value): .symbol("float \(value.bitPattern)")
      case .double(let value): .symbol("double \(value.bitPattern)")
      case .symbol(let text): .symbol("symbol \(text)")
      default: argument
      }
    }
  }
}
