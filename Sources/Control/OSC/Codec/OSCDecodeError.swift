/// The reason why a packet was dropped. Each reason has a counter; a malformed packet gets no answer.
public enum OSCDecodeError: Int, Error, Hashable, Sendable, CaseIterable {
  case empty
  case oversize
  case misaligned
  case badAddress
  case unterminatedString
  case badPadding
  case badTypeTags
  case unknownTypeTag
  case unbalancedArray
  case truncated
  case badBlob
  case surplusData
  case badBundle
  case badElementSize
  case tooDeep
  case tooManyMessages
  case tooManyArguments
  case refusedByCodec
  case badFrame
}

extension OSCDecodeError: CustomStringConvertible {
  /// The reason as a sentence.
  public var description: String {
    switch self {
    case .empty: "The packet is empty."
    case .oversize: "The packet is larger than the limit."
    case .misaligned: "The length of the packet is not a multiple of 4 bytes."
    case .badAddress: "An address does not begin with a slash."
    case .unterminatedString: "A string has no end."
    case .badPadding: "The padding after a string or blob is not zero."
    case .badTypeTags: "The type tags do not begin with a comma."
    case .unknownTypeTag: "A type tag is unknown."
    case .unbalancedArray: "The brackets of an array do not match."
    case .truncated: "The packet ends before its last argument does."
    case .badBlob: "The size of a blob does not fit into the packet."
    case .surplusData: "There is data behind the last argument."
    case .badBundle: "The header of a bundle is incomplete."
    case .badElementSize: "The size of a bundle's element is zero, odd or larger than the bundle."
    case .tooDeep: "Bundles are inside each other more deeply than the limit."
    case .tooManyMessages: "The packet has more messages than the limit."
    case .tooManyArguments: "A message has more arguments than the limit."
    case .refusedByCodec: "The codec refused the packet."
    case .badFrame: "The framing of a packet in a TCP connection is wrong."
    }
  }
}
