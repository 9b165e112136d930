/// Detects edited files: FNV-1a with 64 bits (draft-eastlake-fnv).
///
/// The hash is no protection against malice: anyone can make two contents with the same hash.
public struct ContentHash: Hashable, Sendable, CustomStringConvertible {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The hash of no bytes.
  public init() {}

  /// The hash of a text.
  init(of text: String) { add(text.utf8) }

  /// The hash as a number.
  var number: UInt64 { state }

  /// Takes further bytes.
  public mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// 16 hexadecimal digits.
  public var description: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
