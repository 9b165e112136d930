/// Why a sound file could not be used, in plain words.
public enum MediaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file cannot be opened; the reason is the system's.
  case unreadable(path: String, reason: String)
  /// The file can be opened and holds no audio that we know; the reason is the library's.
  case notAudio(path: String, reason: String)
  /// The file cannot be made or written to.
  case unwritable(path: String, reason: String)

  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
    case .notAudio(let path, let reason): "\(path) is not a sound file: \(reason)"
    case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
    }
  }
}
