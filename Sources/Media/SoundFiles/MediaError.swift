/// Why a sound file could not be read or written; the description is a sentence for the operator.
public enum MediaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file cannot be opened or read; the reason comes from the system.
  case unreadable(path: String, reason: String)
  /// The file can be opened but contains no sound that the program reads.
  case notAudio(path: String, reason: String)
  /// The file contains sound in a format that the program does not read, but other programs can convert.
  case foreign(path: String, format: String)
  /// The file contains sound that the program refuses to play, such as one with a thousand channels.
  case unplayable(path: String, reason: String)
  /// The sound ends early, because the file is damaged, is cut off, or changed while it was read.
  case damaged(path: String, reason: String)
  /// The file cannot be created or written.
  case unwritable(path: String, reason: String)
  /// The ending of the file's name is none of those in `SoundFileFormat`.
  case unknownFormat(path: String)

  /// The reason alone, as the end of a sentence about the file.
  public var reason: String {
    switch self {
    case .unreadable(_, let reason), .notAudio(_, let reason), .unplayable(_, let reason),
      .damaged(_, let reason), .unwritable(_, let reason):
      reason
    case .foreign(_, let format): "it contains \(format), which is not read"
    case .unknownFormat: "its name has no ending that says a format"
    }
  }

  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
    case .notAudio(let path, let reason): "\(path) is not a sound file: \(reason)"
    case .foreign(let path, let format):
      "\(path) contains \(format), which is not read; convert it with: "
        + "ffmpeg -i \(Self.quoted(path)) \(Self.quoted(Self.converted(path)))"
    case .unplayable(let path, let reason): "cannot play \(path): \(reason)"
    case .damaged(let path, let reason): "\(path) is damaged: \(reason)"
    case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
    case .unknownFormat(let path):
      "\(path) has no ending that says a format; end the name with "
        + SoundFileFormat.allCases.map { ".\($0.endings[0])" }.joined(separator: ", ")
    }
  }

  /// A word as a shell takes it literally.
  private static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  /// The path with the ending of a format that is read.
  private static func converted(_ path: String) -> String {
    let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    guard let dot = path[start...].lastIndex(of: "."), dot > start else { return path + ".flac" }
    return path[..<dot] + ".flac"
  }
}
