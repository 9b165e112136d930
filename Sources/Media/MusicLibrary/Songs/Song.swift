/// A sound file of the library.
public struct Song: Equatable, Sendable {
  /// What the file is heard as, by its genre or its folder.
  public enum Kind: Int, Sendable { case music, podcast, audiobook }

  public var id: MediaID
  /// The index of its media folder, and its path below it.
  public var folder: Int
  public var name: String
  /// The title; the file's name without its ending if it has none.
  public var title: String
  /// These are empty if the file does not tell.
  public var artist: String
  public var album: String
  public var albumArtist: String
  public var genre: String
  public var composer: String
  /// The number on its disc, and that of the disc; 0 if the file does not tell.
  public var track: Int
  public var disc: Int
  /// Length in seconds; 0 if the file does not tell.
  public var seconds: Double
  public var kind: Kind
  public var isCompilation: Bool
  /// Whether the file contains a picture.
  public var hasPicture: Bool
}

/// Songs that belong together, or a playlist.
public struct SongCollection: Equatable, Sendable {
  /// What the library lists.
  public enum Kind: Int, CaseIterable, Sendable {
    case albums = 1
    case artists, genres, composers, podcasts, audiobooks, compilations, playlists
  }

  public var kind: Kind
  public var title: String
  /// The album artist of an album; otherwise empty.
  public var artist: String
  /// The number of songs; that of lines for a playlist.
  public var count: Int
  /// A query that finds its songs, such as `album:"Blue" albumartist:"Joni Mitchell"`; the file's name for a playlist.
  public var query: String
}

/// A part of a list.
public struct Page<Item: Equatable & Sendable>: Equatable, Sendable {
  /// The index of the first item of the page in the list.
  public var start: Int
  /// The length of the whole list.
  public var total: Int
  public var items: [Item]

  public init(start: Int, total: Int, items: [Item]) {
    (self.start, self.total, self.items) = (start, total, items)
  }
}
