import Foundation
import MediaFolders
import SongFiles
import Synchronization
import TemporaryFolders
import Testing

@testable import MusicLibrary

/// A media folder and a state folder of one test, and libraries on them.
final class LibraryPlace {
  let folder: TemporaryFolder
  var media: String { folder.file("media") }
  var state: String { folder.file("state") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: media, withIntermediateDirectories: false)
  }

  /// Another library on the same folders and file, as another process has it.
  func library() -> MusicLibrary { MusicLibrary(MediaFolders([media]), stateFolder: state) }

  /// The library's file.
  var file: LibraryFile { LibraryFile(in: state, for: MediaFolders([media])) }

  /// Writes a song, or another file, below the media folder.
  func add(_ name: String, _ tags: SongFile.Tags = [:]) throws {
    try write(name.hasSuffix(".mp3") ? try SongFile.mp3(tags) : try SongFile.flac(tags), to: name)
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    let url = URL(filePath: "\(media)/\(name)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  func move(_ old: String, to new: String) throws {
    let url = URL(filePath: "\(media)/\(new)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: "\(media)/\(old)", toPath: url.path())
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(media)/\(name)") }
}

/// Follows the status of a library's thread.
final class StatusWatch: Sendable {
  private let condition = NSCondition()
  private let seen = Mutex<[LibraryStatus]>([])

  var statuses: [LibraryStatus] { seen.withLock { $0 } }

  func take(_ status: LibraryStatus) {
    seen.withLock { $0.append(status) }
    condition.lock()
    condition.broadcast()
    condition.unlock()
  }

  /// Waits until a scan has ended after which something holds.
  func wait(
    until holds: () throws -> Bool, _ location: SourceLocation = #_sourceLocation
  ) throws {
    try wait(location) { try !$0.isScanning && holds() }
  }

  /// Waits until the library has told anything.
  func waitForStatus(_ location: SourceLocation = #_sourceLocation) throws {
    try wait(location) { _ in true }
  }

  /// Waits until something holds for the last status. The library's thread has the lowest priority: beside other tests it may get no processor for
  /// minutes.
  private func wait(_ location: SourceLocation, until holds: (LibraryStatus) throws -> Bool) throws {
    let end = Date(timeIntervalSinceNow: 600)
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let last = statuses.last, try holds(last) { return }
      guard condition.wait(until: end) else {
        Issue.record("the library did not come that far: \(statuses.suffix(3))", sourceLocation: location)
        return
      }
    }
  }
}
