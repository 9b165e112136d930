import Foundation
import JSON5
import Presets
import SessionModel
import SessionPolicy
import SystemCalls
import TemporaryFolders
import Testing

@testable import KeptState

@Suite("The file of the kept state")
struct StateFileTests {
  /// A folder with the file of the kept state in it.
  private struct Folder {
    private let folder: TemporaryFolder
    var path: String { folder.path }
    var file: String { folder.file("state/multiroute.json") }

    init() throws { folder = try TemporaryFolder() }

    func write(_ text: String) throws { try folder.write(text, to: "state/multiroute.json") }

    func permissions(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
  }

  private static let head = KeptHead(
    preset: "show", path: "/show.json", hash: "0", time: "2026-11-22T20:00:00Z")

  private static func text(_ settings: String) -> String {
    #"{ "multiroute": 1, "sessions": {}, "kept": { "preset": "show", "settings": \#(settings) } }"#
  }

  @Test("A written state is read again, and only the user may read the file")
  func roundTrip() throws {
    let folder = try Folder()
    let file = StateFile(path: folder.file)
    var state = RouterState()
    state.isPanicking = true
    try file.write(KeptDocument.json(of: state, head: Self.head).text)
    guard case .state(let kept) = file.read() else {
      Issue.record("nothing was read")
      return
    }
    #expect(kept.head == Self.head && kept.problems.isEmpty)
    let restored = kept.restored(over: RouterState(), at: 0, .everything) {
      state, event, time throws(SessionError) in try Policy.reduce(&state, event, at: time)
    }
    #expect(restored.state.isPanicking && restored.leftOut == [])
    #expect(try folder.permissions(folder.file) == 0o600)
    #expect(try folder.permissions("\(folder.file).lock") == 0o600)
    #expect(try folder.permissions("\(folder.path)/state") == 0o700)
  }

  @Test("A state of a newer version is refused by name, and neither replaced nor removed")
  func newer() throws {
    let folder = try Folder()
    let text = #"{ "multiroute": 2, "kept": { "preset": "show" }, "later": [] }"#
    try folder.write(text)
    let file = StateFile(path: folder.file)
    let refusal = try #require(file.refusal)
    #expect(
      refusal.contains(folder.file) && refusal.contains("newer version") && refusal.contains("format 2"))
    guard case .nothing = file.read() else {
      Issue.record("a newer state was read")
      return
    }
    #expect(throws: SystemError.self) { try file.write("{}") }
    file.remove()
    #expect(try String(contentsOfFile: folder.file, encoding: .utf8) == text)
    #expect(!FileManager.default.fileExists(atPath: "\(folder.file).lock"))
  }

  @Test("A link in the folder is never followed: what it leads to is neither read, locked nor changed")
  func links() throws {
    let folder = try Folder()
    let treasure = folder.path + "/treasure"
    let text = Self.text(#"{ "/silent": true }"#)
    try folder.write(text)
    try FileManager.default.moveItem(atPath: folder.file, toPath: treasure)
    func link(_ path: String) throws {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: treasure)
    }
    for path in [folder.file, "\(folder.file).new"] { try link(path) }
    do {
      let file = StateFile(path: folder.file)
      guard case .unreadable(let reason) = file.read() else {
        Issue.record("a link was read, or counts as no file")
        return
      }
      #expect(reason.contains("symbolic link"))
      try file.write("{}")
      #expect(try String(contentsOfFile: folder.file, encoding: .utf8) == "{}")
      #expect(try System.lstat(folder.file).kind == .file)
    }
    try System.unlink("\(folder.file).lock")
    try link("\(folder.file).lock")
    let file = StateFile(path: folder.file)
    #expect(try #require(file.refusal).contains("multiroute.json.lock: it is a symbolic link"))
    #expect(throws: SystemError.self) { try file.write("{ }") }
    #expect(try String(contentsOfFile: treasure, encoding: .utf8) == text)
  }

  @Test("Two routers never write the same file")
  func lock() throws {
    let folder = try Folder()
    let (first, second) = (StateFile(path: folder.file), StateFile(path: folder.file))
    #expect(first.refusal == nil)
    #expect(try #require(second.refusal).contains("another router"))
    try first.write("{}")
    #expect(throws: SystemError.self) { try second.write("{ }") }
    #expect(try String(contentsOfFile: folder.file, encoding: .utf8) == "{}")
  }

  @Test(
    "An old or incomplete file is not the same as no file",
    arguments: [
      #"{ "multiroute": 1, "preset": "show", "settings": [["/ramp", 1]] }"#, #"{ "multiroute": 1, "kept"#,
    ])
  func unreadable(_ text: String) throws {
    let folder = try Folder()
    let file = StateFile(path: folder.file)
    guard case .nothing = file.read() else {
      Issue.record("there is no file")
      return
    }
    try folder.write(text)
    guard case .unreadable = file.read() else {
      Issue.record("the file was read")
      return
    }
  }

  @Test("A value that no setting can have is left out instead of ending the program")
  func outOfRange() throws {
    let folder = try Folder()
    try folder.write(
      Self.text(#"{ "/meter/rate": 1e12, "/input/mic/1e9/gain": 0, "/nowhere": 1, "/silent": true }"#))
    guard case .state(let kept) = StateFile(path: folder.file).read() else {
      Issue.record("nothing was read")
      return
    }
    #expect(kept.problems.count == 3)
    let restored = kept.restored(over: RouterState(), at: 0, .everything) {
      state, event, time throws(SessionError) in try Policy.reduce(&state, event, at: time)
    }
    #expect(restored.state.isSilent && restored.state.meterRate.target == 20)
  }

  // MARK: When it is written

  private static let preset = KeptPreset(id: "show", path: "/show.json", hash: "0")

  /// Waits for changes of the file.
  private final class Watch {
    private let descriptor: Int32
    private let file: String

    /// - Parameter folder: the folder of the file must exist.
    init(_ folder: Folder) throws {
      file = folder.file
      descriptor = try System.inotify_init1()
      try System.inotify_add_watch(descriptor, "\(folder.path)/state", .movedIn)
    }

    deinit { System.close(descriptor) }

    /// Waits until the file contains some words; false if it does not change within ten seconds.
    func awaitText(_ words: String) throws -> Bool {
      while (try? String(contentsOfFile: file, encoding: .utf8))?.contains(words) != true {
        guard try System.poll(descriptor, milliseconds: 10_000) else { return false }
        _ = System.inotify_read(descriptor)
      }
      return true
    }
  }

  @Test("The state is written at most once a second, and removed when the run ends cleanly")
  func pace() throws {
    let folder = try Folder()
    let keeper = StateKeeper(StateFile(path: folder.file), start: nil) { Issue.record("\($0)") }
    let watch = try Watch(folder)
    var state = RouterState()
    keeper.keep(state, of: Self.preset, taken: nil, at: 0)
    #expect(try watch.awaitText("\"/silent\": false"))
    state.isSilent = true
    #expect(keeper.nextDue == nil, "the test has not called noteChange")
    keeper.noteChange()
    #expect(keeper.nextDue == 1)
    keeper.keep(state, of: Self.preset, taken: nil, at: 0.9)
    keeper.keep(state, of: Self.preset, taken: nil, at: 1.1)
    #expect(try watch.awaitText("\"/silent\": true"))
    keeper.forget()
    #expect(!FileManager.default.fileExists(atPath: folder.file), "the run has ended cleanly")
  }

  @Test("A folder that cannot be written is reported once, and so is the first write after that")
  func trouble() async throws {
    let folder = try Folder()
    let file = StateFile(path: folder.file)
    let (told, tell) = AsyncStream.makeStream(of: String.self)
    let keeper = StateKeeper(file, start: nil) { tell.yield($0) }
    // A folder has the name of the new file, so the keeper cannot make that file.
    try FileManager.default.createDirectory(atPath: "\(folder.file).new", withIntermediateDirectories: true)
    var state = RouterState()
    keeper.keep(state, of: Self.preset, taken: nil, at: 0)
    var sentences = told.makeAsyncIterator()
    #expect(await sentences.next()?.contains("cannot be saved") == true)
    try FileManager.default.removeItem(atPath: "\(folder.file).new")
    state.isSilent = true
    keeper.noteChange()
    keeper.keep(state, of: Self.preset, taken: nil, at: 2)
    #expect(keeper.nextDue == 7, "five seconds after the failure was noticed")
    keeper.keep(state, of: Self.preset, taken: nil, at: 7)
    #expect(await sentences.next()?.contains("is saved again") == true)
  }

  @Test("A state that could not be kept is tried again, although nothing changes")
  func retry() async throws {
    let folder = try Folder()
    let (told, tell) = AsyncStream.makeStream(of: String.self)
    let keeper = StateKeeper(StateFile(path: folder.file), start: nil) { tell.yield($0) }
    try FileManager.default.createDirectory(atPath: "\(folder.file).new", withIntermediateDirectories: true)
    keeper.keep(RouterState(), of: Self.preset, taken: nil, at: 0)
    var sentences = told.makeAsyncIterator()
    #expect(await sentences.next()?.contains("cannot be saved") == true)
    try FileManager.default.removeItem(atPath: "\(folder.file).new")
    for due in [1.0, 6.0] {
      #expect(keeper.nextDue == due)
      keeper.keep(RouterState(), of: Self.preset, taken: nil, at: due)
    }
    #expect(await sentences.next()?.contains("is saved again") == true)
    #expect(keeper.nextDue == nil)
  }

  @Test("The time of day is written in ISO 8601")
  func time() {
    #expect(WallClock.text(of: 0) == "1970-01-01T00:00:00Z")
    #expect(WallClock.text(of: 1_795_377_845) == "2026-11-22T20:04:05Z")
  }

  @Test("A state belongs to the preset of the same path, and shows whether the preset was edited")
  func match() {
    let preset = KeptPreset(id: "show", path: "/show.json", hash: "1")
    func head(_ path: String, _ hash: String) -> KeptHead {
      KeptHead(preset: "show", path: path, hash: hash, time: "")
    }
    #expect(preset.isOwner(of: head("/show.json", "1")) && !preset.isEdited(since: head("/show.json", "1")))
    #expect(preset.isOwner(of: head("/show.json", "2")) && preset.isEdited(since: head("/show.json", "2")))
    #expect(!preset.isOwner(of: head("/other/show.json", "1")))
  }
}
