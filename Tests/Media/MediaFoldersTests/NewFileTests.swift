import Foundation
import MediaFolders
import TemporaryFolders
import Testing

@Suite struct NewFileTests {
  let place: TemporaryFolder
  let folders: MediaFolders

  init() throws {
    place = try TemporaryFolder()
    for name in ["own/Jazz/Blue.flac", "own/Jazz/Blue-2.flac", "shipped/Rock/c.ogg", "outside/d.wav"] {
      try place.write("x", to: name)
    }
    for (link, target) in [("own/up", "../outside"), ("own/dangling.wav", "nowhere")] {
      try FileManager.default.createSymbolicLink(
        atPath: place.file(link), withDestinationPath: target)
    }
    folders = MediaFolders([place.file("own"), place.file("shipped")])
  }

  @Test("A new file is placed in the first media folder, or in the folder that its name says")
  func places() throws {
    #expect(try folders.place(of: "new.wav").hasSuffix("/own/new.wav"))
    #expect(try folders.place(of: "Jazz/new.wav").hasSuffix("/own/Jazz/new.wav"))
    #expect(try folders.place(of: "Rock/new.wav").hasSuffix("/shipped/Rock/new.wav"))
    #expect(try folders.place(of: "Jazz/../new.wav").hasSuffix("/own/new.wav"))
  }

  @Test(
    "A name that is taken is refused with one that is free",
    arguments: [
      ("Jazz/Blue.flac", "Jazz/Blue-3.flac"), ("Rock/c.ogg", "Rock/c-2.ogg"), ("Jazz", "Jazz-2"),
      ("dangling.wav", "dangling-2.wav"),
    ])
  func taken(name: String, free: String) {
    let error = #expect(throws: MediaNameError.taken(name, free: free)) { try folders.place(of: name) }
    #expect(error?.description.contains("such as \(free), which is free") == true)
  }

  @Test("Nothing can be made outside the folders, hidden, or as a folder")
  func refusals() throws {
    for name in [
      "../new.wav", "/tmp/new.wav", "~/new.wav", "up/new.wav", ".new.wav", "Jazz/.new.wav", "Jazz/", "", ".",
    ] {
      #expect(throws: MediaNameError.self, "\(name)") { try folders.place(of: name) }
    }
    let error = #expect(throws: MediaNameError.self) { try folders.place(of: "Pop/new.wav") }
    #expect(error?.description.contains("no folder Pop") == true)
    #expect(throws: MediaNameError.self) { try folders.place(of: "Jazz/Blue.flac/new.wav") }
    #expect(throws: MediaNameError.self) { try MediaFolders([place.file("missing")]).place(of: "new.wav") }
    #expect(throws: MediaNameError.self) { try MediaFolders([]).place(of: "new.wav") }
  }
}
