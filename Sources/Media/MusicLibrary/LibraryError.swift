public import MediaFolders

/// Why the library does not answer; the description is a sentence for the operator.
public enum LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file of the library cannot be opened, read or written.
  case unusable(path: String, reason: String)
  /// No file has this id.
  case unknown(MediaID)
  /// A name leads out of the media folders, or to nothing.
  case name(MediaNameError)

  public var description: String {
    switch self {
    case .unusable(let path, let reason): "the library \(path) cannot be used: \(reason)"
    case .unknown(let id): "the library has no file \(id)"
    case .name(let error): error.description
    }
  }
}
