public import SystemCalls

/// Why a file has no tags that can be read; the description is the end of a sentence about the file.
public enum TagError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not begin as FLAC, Ogg, mp3, WAV or AIFF does.
  case unknown
  /// The file begins like one of these formats, but what follows is damaged.
  case damaged
  /// The library that reads tags cannot be loaded.
  case missing(DynamicLibrary.Missing)

  public var description: String {
    switch self {
    case .unknown: "its first bytes are not those of a format with tags"
    case .damaged: "it is damaged"
    case .missing(let missing): "its tags cannot be read: \(missing)"
    }
  }
}
