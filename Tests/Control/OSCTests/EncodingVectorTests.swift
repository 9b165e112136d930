import OSC
import Testing

@Suite("Packets that must be understood")
struct EncodingVectorTests {
  private let decoder = PacketDecoder()

  private func arguments(_ bytes: [UInt8]) throws -> [OSCArgument] {
    guard case .message(let message) = try decoder.decode(bytes) else {
      Issue.record("not a message")
      return []
    }
    return message.arguments
  }

  @Test("E1: one float, as the specification writes it")
  func oneFloat() throws {
    let bytes = Wire.text("/oscillator/4/frequency.,f..") + Wire.words(0x43dc_0000)
    #expect(bytes.count == 32)
    let message = OSCMessage("/oscillator/4/frequency", .float(440))
    #expect(try decoder.decode(bytes) == .message(message))
    #expect(PacketEncoder.encode(message) == bytes)
  }

  @Test("E2: several arguments, as the specification writes them")
  func severalArguments() throws {
    let bytes =
      Wire.text("/foo....,iisff..") + Wire.words(1_000, 0xffff_ffff) + Wire.text("hello...")
      + Wire.words(0x3f9d_f3b6, 0x40b5_b22d)
    #expect(bytes.count == 40)
    let message = OSCMessage(
      "/foo", .int32(1_000), .int32(-1), .string("hello"), .float(1.234), .float(5.678))
    #expect(try decoder.decode(bytes) == .message(message))
    #expect(PacketEncoder.encode(message) == bytes)
  }

  @Test("E3 and E4: no arguments, with and without type tags", arguments: ["/a..,...", "/a.."])
  func noArguments(_ text: String) throws {
    #expect(try decoder.decode(Wire.text(text)) == .message(OSCMessage("/a")))
  }

  @Test("E5: every type")
  func everyType() throws {
    let bytes =
      Wire.text("/a..,ifsbhtdScrmTFNI....") + Wire.words(7, 0x3f80_0000) + Wire.text("st..")
      + Wire.words(5) + [1, 2, 3, 4, 5, 0, 0, 0] + Wire.words(1, 2) + Wire.words(3, 4)
      + Wire.words(0x3ff8_0000, 0) + Wire.text("sym.") + Wire.words(0x41, 0x1122_3344, 0x0590_3c7f)
    let expected: [OSCArgument] = [
      .int32(7), .float(1), .string("st"), .blob([1, 2, 3, 4, 5]), .int64(0x1_0000_0002),
      .timetag(OSCTimetag(seconds: 3, fraction: 4)), .double(1.5), .symbol("sym"), .character(0x41),
      .colour(0x1122_3344), .midi(0x0590_3c7f), .boolean(true), .boolean(false), .null, .impulse,
    ]
    #expect(try arguments(bytes) == expected)
    #expect(PacketEncoder.encode(OSCMessage("/a", expected)) == bytes)
    #expect(OSCMessage("/a", expected).typeTags == "ifsbhtdScrmTFNI")
  }

  @Test("E6: arrays are flattened")
  func arrays() throws {
    let flat = try arguments(Wire.text("/a..,[iii]..") + Wire.words(1, 2, 3))
    #expect(flat == [.int32(1), .int32(2), .int32(3)])
    let nested = try arguments(
      Wire.text("/a..,[i][[ss]][[i][i[s]]]...") + Wire.words(1) + Wire.text("a...b...")
        + Wire.words(2, 3) + Wire.text("c..."))
    #expect(nested == [.int32(1), .string("a"), .string("b"), .int32(2), .int32(3), .string("c")])
  }

  @Test("E7: a string is padded with one to four zero bytes", arguments: zip(0...4, [4, 4, 4, 4, 8]))
  func padding(length: Int, size: Int) throws {
    let message = OSCMessage("/a", .string(String(repeating: "x", count: length)))
    let bytes = PacketEncoder.encode(message)
    #expect(bytes.count == 8 + size)
    #expect(try decoder.decode(bytes) == .message(message))
  }

  @Test("E9: a bundle may be empty")
  func emptyBundle() throws {
    #expect(try decoder.decode(Wire.bundle()) == .bundle(OSCBundle([])))
    #expect(PacketEncoder.encode(OSCBundle([])) == Wire.bundle())
  }

  @Test("E10: bundles inside bundles keep their timetags and their order")
  func nestedBundles() throws {
    let message = Wire.text("/a..,...")
    let bytes = Wire.bundle(
      message, Wire.bundle(message, Wire.bundle(message, seconds: 30), message, seconds: 20),
      seconds: 10)
    let leaf = OSCPacket.message(OSCMessage("/a"))
    func time(_ seconds: UInt32) -> OSCTimetag { OSCTimetag(seconds: seconds, fraction: 1) }
    let inner = OSCBundle(timetag: time(30), [leaf])
    let middle = OSCBundle(timetag: time(20), [leaf, .bundle(inner), leaf])
    let packet = OSCPacket.bundle(OSCBundle(timetag: time(10), [leaf, .bundle(middle)]))
    #expect(try decoder.decode(bytes) == packet)
    #expect(packet.messages.count == 4)
    #expect(PacketEncoder.encode(packet) == bytes)
  }

  @Test("E11: timetags zero and one both mean now")
  func immediately() throws {
    for fraction: UInt32 in [0, 1] {
      guard case .bundle(let bundle) = try decoder.decode(Wire.bundle(fraction: fraction)) else {
        Issue.record("not a bundle")
        return
      }
      #expect(bundle.timetag.isImmediate)
    }
    #expect(!OSCTimetag(seconds: 0, fraction: 2).isImmediate)
    #expect(!OSCTimetag(seconds: 1, fraction: 0).isImmediate)
  }

  @Test("E12: a timetag is NTP time")
  func timetag() {
    let time = OSCTimetag(seconds: 0xe13d_4254, fraction: 0x2af1_9800)
    #expect(abs(time.unixTime - 1_569_899_476.167749) < 1e-6)
    let back = OSCTimetag(unixTime: time.unixTime)
    #expect(back.seconds == time.seconds)
    #expect(abs(back.unixTime - time.unixTime) < 1e-6)
    #expect(OSCTimetag(unixTime: 0).seconds == 2_208_988_800)
    #expect(OSCTimetag(unixTime: -1e12) == .immediately)
    #expect(OSCTimetag(unixTime: 1e12) == OSCTimetag(seconds: .max, fraction: .max))
    #expect(OSCTimetag(unixTime: 1) < OSCTimetag(unixTime: 1.5))
  }

  @Test("M11: a message with a colour keeps its other arguments")
  func colour() throws {
    let bytes = Wire.text("/a..,ri.") + Wire.words(0xff00_00ff, 5)
    #expect(try arguments(bytes) == [.colour(0xff00_00ff), .int32(5)])
  }

  @Test("M21 and M28: numbers arrive as they were sent; the leaf decides which of them it accepts")
  func numbers() throws {
    let values = try arguments(
      Wire.text("/a..,fffiT..") + Wire.words(0x7fc0_0000, 0x7f80_0000, 0x60ad_78ec, 1))
    #expect(values.count == 5)
    guard case .float(let number) = values[0] else {
      Issue.record("not a float")
      return
    }
    #expect(number.isNaN)
    #expect(values[1...] == [.float(.infinity), .float(1e20), .int32(1), .boolean(true)])
  }

  @Test("An empty blob and a text that is not UTF-8 are understood")
  func oddValues() throws {
    let empty = OSCMessage("/a", .blob([]), .int32(1))
    #expect(try decoder.decode(PacketEncoder.encode(empty)) == .message(empty))
    let repaired = try arguments(Wire.text("/a..,s..") + [0x41, 0xe9, 0x42, 0])
    #expect(repaired == [.string("A\u{fffd}B")])
  }

  @Test("A text ends at its first NUL")
  func embeddedZero() throws {
    let bytes = PacketEncoder.encode(OSCMessage("/a", .string("ab\0cd"), .colour(1)))
    #expect(try arguments(bytes) == [.string("ab"), .colour(1)])
  }

  @Test("A list of messages is split into bundles that keep order and size")
  func splitting() throws {
    let messages = (0..<200).map { OSCMessage("/session/music/gain", .int32($0)) }
    let packets = PacketEncoder.bundles(of: messages)
    #expect(packets.count > 1)
    #expect(packets.allSatisfy { $0.count <= 1_200 })
    #expect(try packets.flatMap { try decoder.decode($0).messages } == messages)
    // No bundle but the last has room for one more message.
    #expect(packets.dropLast().allSatisfy { $0.count + 4 + 28 > 1_200 })
    #expect(PacketEncoder.bundles(of: []).isEmpty)
  }

  @Test("A message larger than the limit gets a bundle of its own")
  func splittingLargeMessage() throws {
    let small = OSCMessage("/a", .int32(1))
    let large = OSCMessage("/b", .blob([UInt8](repeating: 1, count: 2_000)))
    let packets = PacketEncoder.bundles(of: [small, large, small])
    #expect(try packets.map { try decoder.decode($0).messages } == [[small], [large], [small]])
  }

  @Test("A message reads as the usual tools write it")
  func description() {
    let message = OSCMessage("/error", .string("/x"), .int32(3), .boolean(true), .null)
    #expect(message.description == "/error ,siTN \"/x\" 3 true nil")
    #expect(OSCMessage("/a").description == "/a")
  }
}
