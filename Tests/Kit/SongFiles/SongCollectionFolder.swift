import Foundation

/// A folder of many small songs, as a collection on a disk is: a folder for each artist, and in it one for each album.
public enum SongCollectionFolder {
  /// Songs of an album, and albums of an artist.
  public static let (songs, albums) = (10, 4)

  /// The name of a song's file below the folder.
  public static func name(of index: Int) -> String {
    let (album, song) = index.quotientAndRemainder(dividingBy: songs)
    let ending = song % 2 == 0 ? "flac" : "mp3"
    return "Artist \(album / albums)/Album \(album)/\(song + 1) Song \(index).\(ending)"
  }

  /// The tags of a song. The song's words are a few of a small vocabulary, so that searches find many or few.
  public static func tags(of index: Int) -> SongFile.Tags {
    let (album, song) = index.quotientAndRemainder(dividingBy: songs)
    let word = vocabulary[index &* 7919 % vocabulary.count]
    return [
      "TITLE": "\(word) \(vocabulary[index % 10]) \(index)", "ARTIST": "Artist \(album / albums)",
      "ALBUM": "Album \(album)",
      "ALBUMARTIST": "Artist \(album / albums)", "GENRE": ["Jazz", "Rock", "Folk", "Soul"][album % 4],
      "COMPOSER": "Composer \(album % 500)", "TRACKNUMBER": "\(song + 1)/\(songs)", "DISCNUMBER": "1",
    ]
  }

  /// Writes songs into a folder.
  /// - Throws: Foundation's error if the disk refuses.
  public static func make(_ count: Int, in folder: String) throws {
    for index in 0..<count {
      let path = "\(folder)/\(name(of: index))"
      if index % songs == 0 {
        try FileManager.default.createDirectory(
          atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      }
      let tags = tags(of: index)
      let bytes = path.hasSuffix("flac") ? try SongFile.flac(tags) : try SongFile.mp3(tags)
      guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
        throw CocoaError(.fileWriteUnknown)
      }
    }
  }

  private static let vocabulary = [
    "Love", "Night", "Blue", "River", "Train", "Summer", "Rain", "Gold", "Café", "Señor", "Fire", "Moon",
    "Street", "Dance",
    "Winter", "Home", "Heart", "Light", "Stone", "Wind", "Ocean", "Shadow", "Mirror", "Garden", "Thunder",
    "Silver", "Paper",
    "Glass", "Honey", "Smoke", "Echo",
  ]
}
