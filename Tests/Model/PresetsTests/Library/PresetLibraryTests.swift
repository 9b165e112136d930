import Foundation
import JSON5
import Presets
import SessionModel
import TemporaryFolders
import Testing

@Suite("The library finds presets by id and by path")
struct PresetLibraryTests {
  private let temporary: TemporaryFolder
  private var folder: String { temporary.path }

  init() throws {
    temporary = try TemporaryFolder()
    try write("first/scene-10.json", #"{ multiroute: 1, title: "Ten" }"#)
    try write("first/scene-9.json", #"{ multiroute: 1, title: "Nine" }"#)
    try write("first/broken.json", "{")
    try write("first/Not A Slug.json", "{ multiroute: 1 }")
    try write("first/notes.txt", "no preset")
    try write("second/scene-9.json", #"{ multiroute: 1, title: "The other nine" }"#)
    try write("second/closing.json", #"{ multiroute: 1, extends: "scene-9", }"#)
  }

  private func write(_ name: String, _ text: String) throws { try temporary.write(text, to: name) }

  private var library: PresetLibrary {
    PresetLibrary(folders: ["\(folder)/first", "\(folder)/second", "\(folder)/nowhere"])
  }

  @Test("The list has every preset once, in numeric order, also a broken one")
  func list() {
    let entries = library.list()
    #expect(entries.map(\.id) == ["broken", "closing", "scene-9", "scene-10"])
    #expect(entries.map(\.title) == ["broken", "closing", "Nine", "Ten"])
    #expect(entries[2].file == "\(folder)/first/scene-9.json")
    #expect(PresetLibrary(folders: []).list() == [])
  }

  @Test("An id is searched in the folders in their order; a path names its file")
  func find() throws {
    #expect(try library.find("scene-9").file == "\(folder)/first/scene-9.json")
    let named = try library.find("\(folder)/second/scene-9.json")
    #expect((named.id, named.file) == ("scene-9", "\(folder)/second/scene-9.json"))
    #expect(try library.find("\(folder)/first/Not A Slug.json").id == "not-a-slug")
  }

  @Test("An extended preset is searched first in the folder of the preset that extends it")
  func base() throws {
    let (preset, problems) = try library.read("closing", with: PresetReader.withLaw)
    #expect(problems == [])
    #expect(preset?.title == "The other nine")
  }

  @Test("An unknown id and an unreadable file are different errors, and both name a remedy")
  func errors() throws {
    let unknown = #expect(throws: PresetLibraryError.self) { try library.find("scene-8") }
    #expect(
      unknown?.description
        == "there is no preset \"scene-8\" (looked in \(folder)/first, \(folder)/second, \(folder)/nowhere); did you mean \"scene-9\"?"
    )
    let folderError = #expect(throws: PresetLibraryError.self) { try library.find(folder) }
    #expect(
      folderError
        == .unreadable(file: folder, code: EISDIR, reason: "Is a directory"))
    let missing = #expect(throws: PresetLibraryError.self) { try library.find("./absent.json") }
    #expect(
      missing?.description
        == "cannot read ./absent.json: No such file or directory; name a file that exists and that you may read"
    )
  }

  @Test("A file without an end is read only up to the greatest length of a document")
  func endless() throws {
    let (preset, problems) = try library.read("/dev/zero", with: PresetReader.withLaw)
    #expect(preset == nil)
    #expect(
      problems.map(\.description) == [
        "/dev/zero:1:1: the file has 1048577 bytes; keep it under 1048576 bytes"
      ])
  }
}
