/// Why a sound file could not be read or written; the description is a sentence for the operator.
public enum MediaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file cannot be opened or read; the reason comes from the system.
  case unreadable(path: String, reason: String)
  /// The file can be opened but contains no audio that libsndfile knows; the reason comes from libsndfile.
  case notAudio(path: String, reason: String)
  /// The file cannot be created or written.
  case unwritable(path: String, reason: String)
  /// The ending of the file's name is none of those in `SoundFileFormat`.
  case unknownFormat(path: String)

  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
    case .notAudio(let path, let reason): "\(path) is not a sound file: \(reason)"
    case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
    case .unknownFormat(let path):
      "\(path) has no ending that says a format; end the name with "
        + SoundFileFormat.allCases.map { ".\($0.endings[0])" }.joined(separator: ", ")
    }
  }
}
