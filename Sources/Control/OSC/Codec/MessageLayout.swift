/// The positions of the parts of one message, with every length checked.
///
/// liblo checks lengths, too, but reads four bytes beyond its copy if a blob has no data. It also refuses colours, arrays and
/// messages without type tags. So this type checks each message first, and liblo receives only valid ones.
struct MessageLayout {
  /// The address, without padding.
  let address: Range<Int>

  /// The tags of the arguments, without the comma and without brackets.
  let tags: [UInt8]

  /// The data of the arguments, up to the end of the message.
  let data: Range<Int>

  /// Whether liblo can read the message without conversion.
  let isPlain: Bool

  /// Checks a message whose length is a multiple of 4.
  init(_ bytes: Span<UInt8>, argumentLimit: Int) throws(OSCDecodeError) {
    guard !bytes.isEmpty, bytes[0] == UInt8(ascii: "/") else { throw .badAddress }
    address = try Self.string(in: bytes, at: 0)
    let tagStart = Self.padded(address)
    guard tagStart < bytes.count else {
      tags = []
      data = tagStart..<tagStart
      isPlain = false
      return
    }
    guard bytes[tagStart] == UInt8(ascii: ",") else { throw .badTypeTags }
    let tagText = try Self.string(in: bytes, at: tagStart)

    let dataStart = Self.padded(tagText)
    var tags: [UInt8] = []
    var next = dataStart
    var arrays = 0
    var isPlain = true
    for index in tagText.dropFirst() {
      let tag = bytes[index]
      switch tag {
      case UInt8(ascii: "["):
        arrays += 1
        isPlain = false
        continue
      case UInt8(ascii: "]"):
        arrays -= 1
        guard arrays >= 0 else { throw .unbalancedArray }
        continue
      case UInt8(ascii: "r"):
        isPlain = false
      default:
        break
      }
      guard tags.count < argumentLimit else { throw .tooManyArguments }
      tags.append(tag)
      next = try Self.end(ofArgument: tag, in: bytes, at: next)
    }
    guard arrays == 0 else { throw .unbalancedArray }
    guard next == bytes.count else { throw .surplusData }
    self.tags = tags
    self.isPlain = isPlain
    data = dataStart..<bytes.count
  }

  /// The message in the form that liblo reads: with type tags, without brackets, and with colours as integers.
  func normalised(_ bytes: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 4)
    for index in address { result.append(bytes[index]) }
    Self.terminate(&result)
    result.append(UInt8(ascii: ","))
    for tag in tags { result.append(tag == UInt8(ascii: "r") ? UInt8(ascii: "i") : tag) }
    Self.terminate(&result)
    for index in data { result.append(bytes[index]) }
    return result
  }

  private static func end(
    ofArgument tag: UInt8, in bytes: Span<UInt8>, at start: Int
  ) throws(OSCDecodeError) -> Int {
    switch tag {
    case UInt8(ascii: "T"), UInt8(ascii: "F"), UInt8(ascii: "N"), UInt8(ascii: "I"):
      return start
    case UInt8(ascii: "i"), UInt8(ascii: "f"), UInt8(ascii: "c"), UInt8(ascii: "r"), UInt8(ascii: "m"):
      guard bytes.count - start >= 4 else { throw .truncated }
      return start + 4
    case UInt8(ascii: "h"), UInt8(ascii: "d"), UInt8(ascii: "t"):
      guard bytes.count - start >= 8 else { throw .truncated }
      return start + 8
    case UInt8(ascii: "s"), UInt8(ascii: "S"):
      guard start < bytes.count else { throw .truncated }
      return padded(try string(in: bytes, at: start))
    case UInt8(ascii: "b"):
      guard bytes.count - start >= 4 else { throw .truncated }
      let size = Int(bytes.bigEndian(at: start))
      let end = start + 4 + size
      guard end <= bytes.count else { throw .badBlob }
      return try checkPadding(in: bytes, from: end, to: (end + 3) & ~3)
    default:
      throw .unknownTypeTag
    }
  }

  /// The text at an offset that is a multiple of 4, without its final NUL.
  private static func string(
    in bytes: Span<UInt8>, at start: Int
  ) throws(OSCDecodeError) -> Range<Int> {
    var end = start
    while end < bytes.count, bytes[end] != 0 { end += 1 }
    guard end < bytes.count else { throw .unterminatedString }
    _ = try checkPadding(in: bytes, from: end, to: padded(start..<end))
    return start..<end
  }

  private static func checkPadding(
    in bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(OSCDecodeError) -> Int {
    for index in start..<end where bytes[index] != 0 { throw .badPadding }
    return end
  }

  /// The end of a string's padding, which is one to four zero bytes after the text.
  private static func padded(_ text: Range<Int>) -> Int { (text.upperBound + 4) & ~3 }

  private static func terminate(_ bytes: inout [UInt8]) {
    repeat { bytes.append(0) } while !bytes.count.isMultiple(of: 4)
  }
}

extension Span where Element == UInt8 {
  /// Reads four bytes as an unsigned big-endian number.
  func bigEndian(at offset: Int) -> UInt32 {
    UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16 | UInt32(self[offset + 2]) << 8
      | UInt32(self[offset + 3])
  }
}
