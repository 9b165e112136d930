public import SystemCalls

/// Reads the tags and pictures of open sound files: FLAC, Ogg (Vorbis, Opus, FLAC), mp3, WAV and AIFF.
///
/// Any thread may call; every call blocks on the disk. A hostile file costs at most the reading of `budget` bytes.
public enum TagReader {
  /// Most bytes that are read of a file. The largest part of tags are pictures.
  public static let budget: UInt64 = 32 << 20

  /// Why no tags can be read; nil if the library is there. The first call loads it.
  public static var missing: DynamicLibrary.Missing? {
    if case .failure(let missing) = TagCalls.library { missing } else { nil }
  }

  /// Reads the tags of a file, but not its pictures.
  public static func tags(of descriptor: Int32) throws(TagError) -> FileTags {
    var tags = FileTags()
    let sound = try TagCalls.read(descriptor, budget, property: { tags.take($0, $1) })
    tags.seconds = sound.seconds.isFinite ? max(0, sound.seconds) : 0
    tags.hasPicture = sound.hasPicture
    return tags
  }

  /// Reads the front cover of a file, or its first picture if none is marked as the front cover; nil if there is none.
  public static func cover(of descriptor: Int32) throws(TagError) -> CoverPicture? {
    var (first, front): (CoverPicture?, CoverPicture?)
    _ = try TagCalls.read(
      descriptor, budget,
      picture: { kind, type, bytes in
        if kind == frontCover, front == nil {
          front = CoverPicture(type: type, bytes: bytes())
        } else if first == nil {
          first = CoverPicture(type: type, bytes: bytes())
        }
      })
    return front ?? first
  }

  /// The kind of picture that ID3v2 (section 4.14) and FLAC call the front cover.
  private static let frontCover = 3
}
