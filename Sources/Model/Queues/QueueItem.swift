/// A sound file in a queue, with what is shown of it.
public struct QueueItem: Hashable, Sendable {
  /// The file's name below a media folder.
  public var name: String
  /// The media id; empty for a file that the library does not know yet.
  public var media: String
  public var title: String
  public var artist: String
  public var album: String
  /// The artist by whom albums of one name are told apart.
  public var albumArtist: String
  /// Length in seconds; 0 if it is not known.
  public var seconds: Double
  /// Number on its album; 0 if it is not known.
  public var track: Int

  public init(
    name: String, media: String = "", title: String, artist: String = "", album: String = "",
    albumArtist: String = "", seconds: Double = 0, track: Int = 0
  ) {
    (self.name, self.media, self.title, self.artist) = (name, media, title, artist)
    (self.album, self.albumArtist, self.seconds, self.track) = (album, albumArtist, seconds, track)
  }
}
