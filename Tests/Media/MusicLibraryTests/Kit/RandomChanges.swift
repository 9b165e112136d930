import Chance
import Foundation

/// Changes a media folder at random: new files, other tags, moved, renamed and removed files and folders.
struct RandomChanges {
  private let place: LibraryPlace
  private var generator: SeededGenerator

  init(_ place: LibraryPlace, seed: UInt64) { (self.place, generator) = (place, SeededGenerator(seed: seed)) }

  mutating func make() throws {
    let all = (FileManager.default.enumerator(atPath: place.media)?.allObjects as? [String] ?? []).sorted()
    let old = all.randomElement(using: &generator)
    switch Int.random(in: 0..<10, using: &generator) {
    case 0 where old != nil: try place.remove(old!)
    case 1 where old != nil, 2 where old != nil:
      let target = "\(folder())/\(URL(filePath: old!).lastPathComponent)"
      let exists = FileManager.default.fileExists(atPath: "\(place.media)/\(target)")
      if !exists, !"\(target)/".hasPrefix("\(old!)/") { try place.move(old!, to: target) }
    case 3: try place.write(Array("a.flac\n".utf8), to: "\(folder())/\(word()).m3u8")
    case 4: try place.write(Array("bad".utf8), to: "\(folder())/\(word()).mp3")
    default:
      try place.add(
        "\(folder())/\(word()).\(Bool.random(using: &generator) ? "flac" : "mp3")",
        [
          "TITLE": "love \(word())", "ARTIST": word().uppercased(), "ALBUM": word().uppercased(),
          "GENRE": Int.random(in: 0..<5, using: &generator) == 0 ? "Podcast" : "Jazz",
          "TRACKNUMBER": "\(Int.random(in: 0..<20, using: &generator))",
        ])
    }
  }

  private mutating func word() -> String { ["a", "b", "c", "d"].randomElement(using: &generator)! }

  private mutating func folder() -> String {
    (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      ["one", "two", "three"].randomElement(using: &generator)!
    }.joined(separator: "/")
  }
}
