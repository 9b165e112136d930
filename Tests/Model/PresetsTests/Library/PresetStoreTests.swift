import Foundation
import Presets
import SessionModel
import SystemCalls
import TemporaryFolders
import Testing

@Suite("The store of presets")
struct PresetStoreTests {
  private let folder: TemporaryFolder
  private let store: PresetStore

  init() throws {
    folder = try TemporaryFolder()
    try System.makeFolders(folder.file("shipped"))
    _ = try folder.write("{ multiroute: 1 }", to: "shipped/kiosk.json")
    store = PresetStore(PresetLibrary(folders: [folder.file("own"), folder.file("shipped")]))
  }

  private func text(_ id: String) -> String? { try? folder.text(of: "own/\(id).json") }

  private func update(
    _ id: PresetID, _ text: String, dropsComments: Bool = false, isUnchanged: Bool = true
  ) throws(SessionError) {
    try store.update(id, text, dropsComments: dropsComments) { isUnchanged }
  }

  private func code(_ body: () throws -> Void) -> ErrorCode? {
    do {
      try body()
      return nil
    } catch { return (error as? SessionError)?.code }
  }

  @Test("Writes a new preset, and refuses an id that exists in any folder")
  func create() throws {
    try store.create("act-1", "one")
    #expect(text("act-1") == "one")
    #expect(code { try store.create("act-1", "two") } == .exists)
    #expect(code { try store.create("kiosk", "two") } == .exists)
    #expect(text("act-1") == "one" && text("kiosk") == nil)
  }

  @Test("Keeps ten versions of a preset that is replaced, and brings any of them back as a new one")
  func versions() throws {
    try store.create("act-1", "0")
    for number in 1...13 { try update("act-1", "\(number)") }
    #expect(store.versions(of: "act-1").map(\.number) == Array(4...13))
    #expect(store.versions(of: "act-1").allSatisfy { $0.time.hasPrefix("20") && $0.time.hasSuffix("Z") })
    try store.restore("act-1", 5)
    #expect(text("act-1") == "4")
    #expect(store.versions(of: "act-1").map(\.number) == Array(5...14))
    #expect(code { try store.restore("act-1", 3) } == .notFound)
    #expect(code { try store.restore("act-2", 1) } == .notFound)
  }

  @Test("Deletes a preset so that a restore undoes it, and deletes none that is shipped")
  func delete() throws {
    try store.create("act-1", "one")
    try store.delete("act-1")
    #expect(text("act-1") == nil)
    #expect(code { try store.delete("act-1") } == .notFound)
    try store.restore("act-1", 1)
    #expect(text("act-1") == "one")
    #expect(code { try store.delete("kiosk") } == .denied)
    // An update of a shipped preset goes to the user's own folder.
    try update("kiosk", "mine")
    #expect(text("kiosk") == "mine")
    #expect(try folder.text(of: "shipped/kiosk.json") == "{ multiroute: 1 }")
  }

  @Test("Writes to where a link leads, and refuses a link that leads nowhere")
  func link() throws {
    try folder.write("old", to: "shows/act-1.json")
    try System.makeFolders(folder.file("own"))
    func link(_ id: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("own/\(id).json"), withDestinationPath: target)
    }
    try link("act-1", to: "act-2.json")
    try link("act-2", to: "../shows/act-1.json")
    try update("act-1", "new")
    #expect(try folder.text(of: "shows/act-1.json") == "new")
    for id in ["act-1", "act-2"] {
      #expect(try System.lstat(folder.file("own/\(id).json")).kind == .link)
    }
    try store.restore("act-1", 1)
    #expect(try folder.text(of: "shows/act-1.json") == "old")
    try link("act-3", to: "../shows/gone.json")
    let error = #expect(throws: SessionError.self) { try store.create("act-3", "three") }
    #expect(
      error?.code == .io
        && error?.sentence.contains("act-3.json: it is a link to ../shows/gone.json") == true,
      "\(String(describing: error))")
    #expect(try System.lstat(folder.file("own/act-3.json")).kind == .link)
    #expect(try System.readdir(folder.file("shows")) == ["act-1.json"])
  }

  @Test("Neither replaces nor deletes a locked preset")
  func lock() throws {
    try store.create("act-1", "one")
    try store.lock("act-1", true)
    #expect(store.isLocked("act-1"))
    #expect(code { try update("act-1", "two") } == .locked)
    #expect(code { try store.delete("act-1") } == .locked)
    #expect(code { try store.restore("act-1", 1) } == .locked)
    try store.lock("act-1", false)
    try update("act-1", "two")
    #expect(text("act-1") == "two" && !store.isLocked("act-1"))
    #expect(code { try store.lock("act-9", true) } == .notFound)
  }

  @Test("Loses neither comments nor what somebody else has written, unless told")
  func refusals() throws {
    try System.makeFolders(folder.file("own"))
    _ = try folder.write("{ multiroute: 1, /* mine */ title: \"a // b\" }", to: "own/act-1.json")
    #expect(code { try update("act-1", "two") } == .exists)
    #expect(code { try update("act-1", "two", dropsComments: true, isUnchanged: false) } == .exists)
    #expect(store.versions(of: "act-1").isEmpty)
    try update("act-1", "{ title: \"a // b\" }", dropsComments: true)
    // A slash in a text is no comment.
    try update("act-1", "three")
    #expect(text("act-1") == "three")
  }

  @Test("Says why the disk refuses, and leaves the presets as they were")
  func disk() throws {
    try store.create("act-1", "one")
    // A folder at the place of the file that is written first.
    try System.makeFolders(folder.file("own/act-1.json.new"))
    #expect(code { try update("act-1", "two") } == .io)
    #expect(text("act-1") == "one")
    let nowhere = PresetStore(PresetLibrary(folders: [folder.file("shipped/kiosk.json")]))
    #expect(code { try nowhere.create("act-1", "one") } == .io)
  }

  @Test("Does not write while another router writes")
  func twoRouters() throws {
    try store.create("act-1", "one")
    let other = try System.open(folder.file("own/.versions/writing"), .readWrite)
    #expect(try System.flock(other))
    #expect(code { try update("act-1", "two") } == .io)
    System.close(other)
    try update("act-1", "two")
    #expect(text("act-1") == "two")
  }
}
