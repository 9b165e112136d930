import Tags

/// What the library knows of a song from its tags and its place, and the keys by which lists order it.
struct SongFacts: Equatable, Sendable {
  var title: String
  var artist: String
  var album: String
  var albumArtist: String
  var genre: String
  var composer: String
  var track: Int
  var disc: Int
  var seconds: Double
  var kind: Song.Kind
  var isCompilation: Bool
  var hasPicture: Bool
  /// The path of the folder below the media folder, and the name of the file.
  var (folder, name): (String, String)

  init(_ tags: FileTags, folder: String, name: String) {
    (self.folder, self.name) = (folder, name)
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    title = tags.title.isEmpty ? stem : tags.title
    (artist, genre, composer) = (tags.artist, tags.genre, tags.composer)
    (track, disc, seconds, hasPicture) = (tags.track, tags.disc, tags.seconds, tags.hasPicture)
    kind = Self.kind(genre: tags.genre, folder: folder)
    isCompilation = tags.isCompilation || Self.isVarious(tags.albumArtist)
    let lastFolder = folder.split(separator: "/").last.map(String.init) ?? ""
    album = tags.album.isEmpty && kind != .music ? lastFolder : tags.album
    albumArtist = tags.albumArtist
    if albumArtist.isEmpty { albumArtist = isCompilation && !album.isEmpty ? "Various Artists" : tags.artist }
  }

  /// A genre or a folder on the way to the file makes a podcast or an audiobook.
  private static func kind(genre: String, folder: String) -> Song.Kind {
    let places = ([genre] + folder.split(separator: "/").map(String.init)).map { FoldedText($0).string }
    if places.contains(where: podcasts.contains) { return .podcast }
    return places.contains(where: audiobooks.contains) ? .audiobook : .music
  }

  private static let podcasts: Set = ["podcast", "podcasts"]
  private static let audiobooks: Set = [
    "audiobook", "audiobooks", "audio book", "audio books", "horbuch", "horbucher", "livre audio",
  ]

  private static func isVarious(_ artist: String) -> Bool {
    ["various artists", "various", "va"].contains(FoldedText(artist).string)
  }
}

extension SongFacts {
  /// The order of a library: by album artist, album, disc and track; files without tags by folder and name.
  var order: [UInt8] {
    let end = SortKey.separator
    let numbers = [disc, track].flatMap { [UInt8(clamping: $0 >> 8), UInt8($0 & 0xff)] }
    return SortKey(albumArtist).bytes + [end] + SortKey(album).bytes + [end] + numbers
      + SortKey.path(folder).bytes + [end] + SortKey.path(name).bytes
  }
}
