import Foundation
import MediaFolders
import TemporaryFolders
import Testing

@Suite struct MediaFoldersTests {
  let place: TemporaryFolder
  let folders: MediaFolders

  /// Two media folders, and a file outside.
  init() throws {
    place = try TemporaryFolder()
    for name in [
      "own/Jazz/Blue.flac", "own/b.mp3", "shipped/b.mp3", "shipped/c.ogg", "own/Jazz/All.m3u8", "secret.wav",
    ] {
      try place.write("x", to: name)
    }
    folders = MediaFolders([place.file("own"), place.file("shipped"), place.file("missing")])
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: place.file(name), withDestinationPath: target)
  }

  @Test("A name is found in the first folder that has it")
  func names() throws {
    let blue = try folders.find("Jazz/Blue.flac")
    #expect(blue.folder == 0 && blue.name == "Jazz/Blue.flac" && blue.kind == .sound)
    #expect(blue.path.hasSuffix("/own/Jazz/Blue.flac"))
    #expect(try folders.find("b.mp3").folder == 0)
    #expect(try folders.find("c.ogg").folder == 1)
    #expect(try folders.find("Jazz").kind == .folder)
    #expect(try folders.find("").kind == .folder)
    #expect(try folders.find("Jazz/All.m3u8").kind == .playlist)
    #expect(try folders.find("./Jazz//../Jazz/./Blue.flac").name == "Jazz/Blue.flac")
  }

  @Test(
    "Nothing outside the folders has a name",
    arguments: [
      (
        "../secret.wav",
        "../secret.wav leads out of the media folder; only files in the media folders have names"
      ),
      (
        "Jazz/../../secret.wav",
        "Jazz/../../secret.wav leads out of the media folder; only files in the media folders have names"
      ),
      ("..", ".. leads out of the media folder; only files in the media folders have names"),
      (
        "/etc/passwd",
        "/etc/passwd is an absolute path; write the name below a media folder, such as Jazz/Blue.flac"
      ),
      (
        "~/secret.wav",
        "~/secret.wav is an absolute path; write the name below a media folder, such as Jazz/Blue.flac"
      ),
    ])
  func outside(name: String, sentence: String) {
    let error = #expect(throws: MediaNameError.self) { try folders.find(name) }
    #expect(error?.description == sentence)
  }

  @Test("A symbolic link is followed within the media folders and refused where it leads out")
  func links() throws {
    try link("own/out.wav", to: place.file("secret.wav"))
    try link("own/up", to: "..")
    try link("own/in.flac", to: "Jazz/Blue.flac")
    try link("own/other.ogg", to: place.file("shipped/c.ogg"))
    try link("own/loop", to: "loop")
    let out = #expect(throws: MediaNameError.self) { try folders.find("out.wav") }
    #expect(out?.description.hasPrefix("out.wav is a symbolic link to /") == true)
    #expect(throws: MediaNameError.self) { try folders.find("up/secret.wav") }
    #expect(try folders.find("in.flac").name == "Jazz/Blue.flac")
    #expect(try folders.find("other.ogg").folder == 1)
    #expect(throws: MediaNameError.linkLoop("loop")) { try folders.find("loop") }
  }

  @Test("A folder whose name begins like a media folder's is outside it")
  func neighbours() throws {
    try place.write("x", to: "own-secret/a.wav")
    try link("own/a.wav", to: place.file("own-secret/a.wav"))
    #expect(throws: MediaNameError.self) { try folders.find("a.wav") }
  }

  @Test("What does not exist, has an impossible name, or is no file is refused by name")
  func missing() throws {
    #expect(throws: MediaNameError.missing("d.wav", in: folders.paths)) { try folders.find("d.wav") }
    #expect(throws: MediaNameError.missing("b.mp3/x", in: folders.paths)) { try folders.find("b.mp3/x") }
    #expect(throws: MediaNameError.self) { try folders.find("a\0b") }
    #expect(throws: MediaNameError.self) { try folders.find(String(repeating: "x", count: 300)) }
    #expect(mkfifo(place.file("own/pipe.wav"), 0o600) == 0)
    #expect(throws: MediaNameError.special("pipe.wav")) { try folders.find("pipe.wav") }
    #expect(throws: MediaNameError.missing("a", in: [])) { try MediaFolders([]).find("a") }
  }

  @Test("A media folder may itself be a symbolic link")
  func linkedFolder() throws {
    try link("music", to: "own")
    #expect(try MediaFolders([place.file("music")]).find("b.mp3").name == "b.mp3")
  }
}
