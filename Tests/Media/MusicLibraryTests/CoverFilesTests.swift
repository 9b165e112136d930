import Foundation
import MediaFolders
import SongFiles
import SystemCalls
import Testing

@testable import MusicLibrary

/// The pictures that other programs show.
@Suite struct CoverFilesTests {
  @Test("Songs with one picture share one file in the cache, and one that has no picture gets none")
  func shared() throws {
    let place = try LibraryPlace()
    let sample = try SongFile.sample("flac")
    for name in ["one.flac", "two.flac"] { try place.write(sample, to: name) }
    try place.add("plain.flac")
    let cache = "\(place.state)/covers"
    let covers = CoverFiles(MediaFolders([place.media]), cache: cache)
    let path = try #require(covers.path(of: "one.flac"))
    #expect(path.hasPrefix(cache) && covers.path(of: "two.flac") == path)
    #expect(try WholeFile.bytes(path).count == 69)
    #expect(covers.path(of: "plain.flac") == nil && covers.path(of: "missing.flac") == nil)
    #expect(try System.readdir(cache).count == 1)
  }

  @Test("The oldest pictures leave a cache that is full")
  func full() throws {
    let place = try LibraryPlace()
    try place.write(try SongFile.sample("flac"), to: "one.flac")
    let cache = "\(place.state)/covers"
    try System.makeFolders(cache)
    for number in 0..<4 {
      try WholeFile.replace(
        "\(cache)/\(number).png", with: [UInt8](repeating: 0, count: CoverFiles.most / 4), permissions: 0o600)
    }
    let path = try #require(CoverFiles(MediaFolders([place.media]), cache: cache).path(of: "one.flac"))
    let left = try System.readdir(cache)
    #expect(left.count == 4 && !left.contains("0.png") && left.contains("3.png"))
    #expect(System.access(path))
  }
}
