/// Why the packets of a TCP connection cannot be told apart any more, so that the connection must be closed.
public enum FramingError: Error, Hashable, Sendable {
  /// The first byte belongs to no framing.
  case unknown(UInt8)
  /// The length of a packet is zero or not a multiple of 4.
  case badLength(UInt32)
  /// A packet is larger than the limit, or has no end.
  case tooLong
}

extension FramingError: CustomStringConvertible {
  /// The reason as the end of a sentence.
  public var description: String {
    switch self {
    case .unknown(let byte):
      """
      the first byte is \(byte), and OSC over TCP begins with SLIP (192) or with a length (0); choose OSC 1.1 (SLIP) or OSC 1.0 (length) in \
      the program
      """
    case .badLength(let length): "the length \(length) of a packet is zero or not a multiple of 4"
    case .tooLong: "a packet has more than \(Framing.limit) bytes, or no end"
    }
  }
}
