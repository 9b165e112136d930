import Foundation
import JSON5
import Presets
import SessionModel
import SystemCalls
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
        == .unreadable(file: folder, code: EISDIR, reason: "it is a folder, not a file"))
    let missing = #expect(throws: PresetLibraryError.self) { try library.find("./absent.json") }
    #expect(
      missing?.description
        == "cannot read ./absent.json: No such file or directory; name a file that exists and that you may read"
    )
  }

  @Test(
    "A device, a FIFO and a socket are refused by name and never waited for; a file that is too large, with its size"
  )
  func noFiles() throws {
    let folder = try TemporaryFolder()
    try #require(mkfifo(folder.file("fifo.json"), 0o600) == 0)
    let socket = try System.socket(.unix, .datagram)
    defer { System.close(socket) }
    try System.bind(socket, to: .unix(path: folder.file("socket.json")))
    _ = try folder.write(String(repeating: " ", count: 2_000_000), to: "large.json")
    for (path, reason) in [
      ("/dev/zero", "it is a device, not a file"), (folder.file("fifo.json"), "it is a FIFO, not a file"),
      (folder.file("socket.json"), "it is a socket, not a file"),
      (folder.file("large.json"), "it has 2000000 bytes, and may have 1048576"),
    ] {
      let error = #expect(throws: PresetLibraryError.self) { try library.find(path) }
      #expect(
        error?.description.hasPrefix("cannot read \(path): \(reason)") == true, "\(String(describing: error))"
      )
    }
    // A folder with a FIFO is listed without waiting for a writer.
    let names = PresetLibrary(folders: [folder.path]).list().map(\.id.name)
    #expect(names.contains("fifo"))
  }

  @Test(
    "Reading tens of thousands of sessions takes time in proportion to them, and one problem tells how many are too many"
  )
  func manySessions() throws {
    func problems(_ count: Int) -> [String] {
      let sessions = (0..<count).map { "\"s\($0)\": { category: \"playback\" }" }.joined(separator: ",")
      let source = PresetSource(
        id: "many", file: "many.json", bytes: Array("{ multiroute: 1, sessions: { \(sessions) } }".utf8))
      return PresetReader.withLaw.read(source) { _ throws(PresetLibraryError) in source }.problems.map(
        \.description)
    }
    #expect(problems(1_000).isEmpty)
    let clock = ContinuousClock()
    var found: [String] = []
    let times = [10_000, 20_000].map { count in clock.measure { found = problems(count) } }
    #expect(
      found.count == 1 && found[0].contains("there are 20000 sessions, and a router holds 1000; remove 19000")
    )
    // Quadratic work would take four times as long.
    #expect(times[1] < times[0] * 3, "\(times)")
  }
}
