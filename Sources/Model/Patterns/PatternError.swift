/// The reason why a text is not an address pattern.
public enum PatternError: Error, Hashable, Sendable {
  case noLeadingSlash
  case emptyPart
  case tooLong(limit: Int)
  case badCharacter(Unicode.Scalar)
  case unclosedBracket
  case unclosedBrace
  case strayBracket(Unicode.Scalar)
  case emptySet
  case reversedRange(Unicode.Scalar, Unicode.Scalar)
}

extension PatternError: CustomStringConvertible {
  /// The reason as a sentence.
  public var description: String {
    switch self {
    case .noLeadingSlash: "An address begins with a slash."
    case .emptyPart: "Every slash of an address is followed by a name; // is not supported."
    case .tooLong(let limit): "An address has at most \(limit) characters."
    case .badCharacter(let scalar): "An address cannot contain \(scalar.debugDescription) here."
    case .unclosedBracket: "A [ has no ] in its part of the address."
    case .unclosedBrace: "A { has no } in its part of the address."
    case .strayBracket(let scalar): "A \(scalar) closes nothing."
    case .emptySet: "The brackets [] hold no character."
    case .reversedRange(let first, let last): "The range \(first)-\(last) runs backwards."
    }
  }
}
