import OSC
import Testing

@Suite("Packets that must be dropped")
struct MalformedPacketTests {
  private let decoder = PacketDecoder()

  private func reason(_ bytes: [UInt8]) -> OSCDecodeError? {
    do throws(OSCDecodeError) {
      _ = try decoder.decode(bytes)
      return nil
    } catch {
      return error
    }
  }

  /// A packet and the reason why it is dropped.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let reason: OSCDecodeError

    init(_ name: String, _ bytes: [UInt8], _ reason: OSCDecodeError) {
      self.name = name
      self.bytes = bytes
      self.reason = reason
    }

    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row("M1 empty datagram", [], .empty),
    Row("M2 one byte", [0x2f], .misaligned),
    Row("M3 length not a multiple of 4", Wire.text("/a..,i..") + [0, 0, 1], .misaligned),
    Row("M5 padding of the address", Wire.text("/a.x,..."), .badPadding),
    Row("M5 padding of the type tags", Wire.text("/a..,.x."), .badPadding),
    Row("M5 padding of a string", Wire.text("/a..,s..b.x."), .badPadding),
    Row("M5 padding of a blob", Wire.text("/a..,b..") + Wire.words(1) + [1, 0, 0, 9], .badPadding),
    Row("M6 address without end", Wire.text("/abc"), .unterminatedString),
    Row("M6 type tags without end", Wire.text("/a..,iii"), .unterminatedString),
    Row("M6 string without end", Wire.text("/a..,s..abcd"), .unterminatedString),
    Row("M7 blob of length -1", Wire.text("/a..,b..") + Wire.words(0xffff_ffff), .badBlob),
    Row("M8 blob without data", Wire.text("/a..,b.."), .truncated),
    Row("M8 second blob without data", Wire.text("/a..,bb.") + Wire.words(0), .truncated),
    Row("M9 blob of length 0x7ffffff0", Wire.text("/a..,b..") + Wire.words(0x7fff_fff0), .badBlob),
    Row("M10 unknown tag", Wire.text("/a..,x..") + Wire.words(1), .unknownTypeTag),
    Row("M10 unknown tag beyond ASCII", Wire.text("/a..") + [0x2c, 0xe9, 0, 0], .unknownTypeTag),
    Row("M11 array that does not end", Wire.text("/a..,[i.") + Wire.words(1), .unbalancedArray),
    Row("M11 array that does not begin", Wire.text("/a..,i].") + Wire.words(1), .unbalancedArray),
    Row("M11 array inside out", Wire.text("/a..,][."), .unbalancedArray),
    Row("M14 address without slash", Wire.text("abc.,..."), .badAddress),
    Row("M14 pattern without slash", Wire.text("*...,..."), .badAddress),
    Row("M14 empty address", Wire.text("....,..."), .badAddress),
    Row("all zeros", [UInt8](repeating: 0, count: 64), .badAddress),
    Row("M15 element of size zero", Wire.bundle() + Wire.words(0), .badElementSize),
    Row("M16 element of size 0xfffffffc", Wire.bundle() + Wire.words(0xffff_fffc), .badElementSize),
    Row("element of an odd size", Wire.bundle() + Wire.words(6) + Wire.text("/a..,..."), .badElementSize),
    Row(
      "element larger than the bundle", Wire.bundle() + Wire.words(12) + Wire.text("/a..,..."),
      .badElementSize),
    Row("half an element", Wire.bundle() + Wire.words(8) + Wire.text("/a.."), .badElementSize),
    Row(
      "M18 good, bad, good", Wire.bundle(Wire.text("/a..,..."), Wire.text("/a..,x.."), Wire.text("/b..,...")),
      .unknownTypeTag),
    Row("M19 name of a bundle alone", Wire.text("#bundle."), .badBundle),
    Row("bundle without all of its timetag", Wire.text("#bundle.") + Wire.words(0), .badBundle),
    Row("bundle of another name", Wire.text("#bundel.") + Wire.words(0, 1), .badBundle),
    Row("bundle name that goes on", Wire.text("#bundles") + Wire.words(0, 1), .badBundle),
    Row("integer without data", Wire.text("/a..,i.."), .truncated),
    Row("half a double", Wire.text("/a..,d..") + Wire.words(1), .truncated),
    Row("string without data", Wire.text("/a..,s.."), .truncated),
    Row("too much data", Wire.text("/a..,i..") + Wire.words(1, 2), .surplusData),
    Row("data without type tags", Wire.text("/a..") + Wire.words(1), .badTypeTags),
    Row("empty type tags", Wire.text("/a......"), .badTypeTags),
    Row("type tags without comma", Wire.text("/a..i...") + Wire.words(1), .badTypeTags),
  ]

  @Test("A malformed packet is dropped with its reason", arguments: rows)
  func malformed(_ row: Row) {
    #expect(reason(row.bytes) == row.reason)
    #expect(row.reason.description.hasSuffix("."))
  }

  @Test("The same bytes without the mistake are accepted")
  func positiveControl() {
    for bytes in [
      Wire.text("/a..,..."), Wire.text("/a..,s..b..."), Wire.text("/a..,b..") + Wire.words(0),
      Wire.text("/a..,b..") + Wire.words(1) + [1, 0, 0, 0], Wire.text("/a..,[i]....") + Wire.words(1),
      Wire.bundle(Wire.text("/a..,...")),
    ] { #expect(reason(bytes) == nil) }
  }

  @Test("M13: a datagram may have 8 KiB and not 4 bytes more")
  func size() {
    func blob(_ size: Int) -> [UInt8] {
      PacketEncoder.encode(OSCMessage("/a", .blob([UInt8](repeating: 1, count: size - 12))))
    }
    #expect(blob(8_192).count == 8_192)
    #expect(reason(blob(8_192)) == nil)
    #expect(reason(blob(8_196)) == .oversize)
    #expect(reason(blob(60_000)) == .oversize)
  }

  @Test("M20: bundles may be eight deep and not nine")
  func depth() {
    func nest(_ depth: Int) -> [UInt8] {
      (0..<depth).reduce(Wire.text("/a..,...")) { bytes, _ in Wire.bundle(bytes) }
    }
    #expect(reason(nest(8)) == nil)
    #expect(reason(nest(9)) == .tooDeep)
    #expect(reason(nest(400)) == .tooDeep)
    let deep = PacketDecoder(limits: PacketLimits(size: 65_536))
    #expect(throws: OSCDecodeError.tooDeep) { try deep.decode(nest(3_200)) }
  }

  @Test("A packet may have 256 messages and not one more, wherever they are")
  func messageCount() {
    func packet(_ count: Int) -> [UInt8] {
      let half = OSCBundle(
        Array(repeating: OSCPacket.message(OSCMessage("/a")), count: count / 2))
      let rest = Array(repeating: OSCPacket.message(OSCMessage("/a")), count: count - count / 2)
      return PacketEncoder.encode(OSCBundle([.bundle(half)] + rest))
    }
    #expect(reason(packet(256)) == nil)
    #expect(reason(packet(257)) == .tooManyMessages)
  }

  @Test("A message may have 64 arguments and not one more, brackets not counted")
  func argumentCount() {
    func message(_ count: Int) -> [UInt8] {
      let tags = "/a..,[" + String(repeating: "T", count: count) + "]"
      return Wire.text(tags + String(repeating: ".", count: 4 - tags.utf8.count % 4))
    }
    #expect(reason(message(64)) == nil)
    #expect(reason(message(65)) == .tooManyArguments)
    #expect(reason(PacketEncoder.encode(OSCMessage("/a", Array(repeating: .int32(1), count: 64)))) == nil)
    #expect(
      reason(PacketEncoder.encode(OSCMessage("/a", Array(repeating: .colour(1), count: 65))))
        == .tooManyArguments)
  }
}
