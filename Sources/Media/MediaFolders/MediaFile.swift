import SystemCalls

/// Something in a media folder that has a name.
public struct MediaFile: Hashable, Sendable {
  /// What it is; the ending of the name tells a playlist from a sound.
  public enum Kind: Hashable, Sendable { case sound, playlist, folder }

  /// The index of its media folder.
  public var folder: Int
  /// Its path below the media folder, without links and dots; empty for the media folder itself.
  public var name: String
  /// Its absolute path, without links and dots.
  public var path: String
  public var kind: Kind

  public init(folder: Int, name: String, path: String, kind: Kind) {
    (self.folder, self.name, self.path, self.kind) = (folder, name, path, kind)
  }
}

extension MediaFile.Kind {
  /// The kind by name and kind of file; nil for sockets, devices and FIFOs.
  init?(_ name: String, _ kind: FileStatus.Kind) {
    switch kind {
    case .folder: self = .folder
    case .file: self = Self.isPlaylist(name) ? .playlist : .sound
    default: return nil
    }
  }

  /// Whether the name of a file ends as that of a playlist.
  public static func isPlaylist(_ name: String) -> Bool { ["m3u8", "m3u"].contains(ending(of: name)) }

  /// Whether the name of a file ends as that of a sound file that the players know. Players look at the content; a library looks at
  /// names, so that it opens no other files.
  public static func isSound(_ name: String) -> Bool { soundEndings.contains(ending(of: name)) }

  private static let soundEndings: Set<String> = [
    "wav", "wave", "rf64", "w64", "aiff", "aif", "aifc", "caf", "au", "snd", "flac", "ogg", "oga", "opus",
    "mp3",
  ]

  /// The letters behind the last dot of a name, in lower case; empty without a dot.
  private static func ending(of name: String) -> String {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
      name.utf8.distance(from: dot, to: name.utf8.endIndex) <= 6
    else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }
}
