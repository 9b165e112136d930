import Foundation
import JSON5
import SessionModel
import SessionPolicy
import Synchronization
import SystemCalls
import TemporaryFolders
import Testing

@testable import Presets

@Suite("A library that remembers what it has read")
struct PresetMemoryTests {
  private let folder: TemporaryFolder
  private let library: PresetLibrary
  private let law = CountingLaw()

  init() throws {
    folder = try TemporaryFolder()
    library = PresetLibrary(folders: [folder.file("own"), folder.file("shared")], isRemembering: true)
    try folder.write(Self.text(-10), to: "own/show.json")
    try folder.write(Self.text(-20), to: "shared/base.json")
    try folder.write(#"{ multiroute: 1, extends: "base" }"#, to: "own/scene.json")
  }

  private static func text(_ gain: Int) -> String {
    #"{ multiroute: 1, sessions: { music: { category: "playback", gain: \#(gain) } } }"#
  }

  /// The number of decisions of the law since the last call.
  private final class CountingLaw: Sendable {
    private let count = Mutex(0)
    func take() -> Int { count.withLock { count in (count, count = 0).0 } }

    var reader: PresetReader {
      PresetReader { [self] state, event, time throws(SessionError) in
        count.withLock { $0 += 1 }
        return try SessionPolicy.Policy.reduce(&state, event, at: time)
      }
    }
  }

  /// The level of the session after reading a preset, and whether the preset was checked for that.
  private func read(_ name: String) throws -> (gain: Double?, isChecked: Bool, problems: [Problem]) {
    _ = law.take()
    let (preset, problems) = try library.read(name, with: law.reader)
    let isChecked = law.take() > 0
    var state = RouterState()
    state.server.isRunning = true
    for event in preset?.events(for: state) ?? [] {
      _ = try SessionPolicy.Policy.reduce(&state, event, at: 0)
    }
    return (state.sessions["music"]?.gain.target, isChecked, problems)
  }

  private func expect(
    _ name: String, _ gain: Double?, isChecked: Bool, location: SourceLocation = #_sourceLocation
  ) throws {
    let reading = try read(name)
    #expect(reading.gain == gain, sourceLocation: location)
    #expect(reading.isChecked == isChecked, sourceLocation: location)
  }

  @Test("neither parses nor checks an unchanged preset again, and tells its warnings each time")
  func unchanged() throws {
    try expect("show", -10, isChecked: true)
    try expect("show", -10, isChecked: false)
    try expect("scene", -20, isChecked: true)
    try expect("scene", -20, isChecked: false)
    // The same file by its path.
    try expect(folder.file("own/show.json"), -10, isChecked: false)
    // A preset of another folder that has the same id is another one.
    try folder.write(Self.text(-11), to: "show.json")
    try expect(folder.file("show.json"), -11, isChecked: true)
    // A way to the built-in speaker is a warning if there is another output.
    try folder.write(
      """
      { multiroute: 1, ports: { usb: { type: "usbAudio", outputs: ["usb:out_1"] },
          box: { type: "builtInSpeaker", outputs: ["system:playback_1"] } },
        sessions: { music: { category: "multiRoute", streams: { main: { channels: 1, to: { box: 0 } } } } } }
      """, to: "own/box.json")
    let first = try read("box")
    let second = try read("box")
    #expect(first.isChecked && first.problems.count == 1 && second.problems == first.problems)
    #expect(!second.isChecked)
  }

  @Test("finds every edit, also one of the same size within one tick of the clock for files")
  func edits() throws {
    let file = folder.file("own/show.json")
    try expect("show", -10, isChecked: true)
    for gain in [-11, -12, -13] {
      let status = try System.stat(file)
      let descriptor = try System.open(file, .write)
      try System.writeAll(descriptor, Array(Self.text(gain).utf8))
      // Even the time of the former writing does not hide a new one.
      var times = [timespec(), timespec()]
      for index in times.indices {
        times[index].tv_sec = status.modified
        times[index].tv_nsec = status.modifiedNanoseconds % 1_000_000_000
      }
      try #require(futimens(descriptor, times) == 0)
      System.close(descriptor)
      #expect(try System.stat(file).hasContent(of: status))
      try expect("show", Double(gain), isChecked: true)
    }
    try WholeFile.replace(file, with: Array(Self.text(-14).utf8), permissions: 0o644)
    try expect("show", -14, isChecked: true)
    // Another file of the same name.
    try folder.write(Self.text(-15), to: "own/other.json")
    try System.rename(folder.file("own/other.json"), to: file)
    try expect("show", -15, isChecked: true)
    try expect("show", -15, isChecked: false)
  }

  @Test("reads a preset again if one that it extends was edited, hidden by another one, or deleted")
  func extended() throws {
    try expect("scene", -20, isChecked: true)
    try folder.write(Self.text(-21), to: "shared/base.json")
    try expect("scene", -21, isChecked: true)
    // The folder of the extending preset comes first.
    try folder.write(Self.text(-22), to: "own/base.json")
    try expect("scene", -22, isChecked: true)
    try System.unlink(folder.file("own/base.json"))
    try expect("scene", -21, isChecked: true)
    try System.unlink(folder.file("shared/base.json"))
    let lost = try read("scene")
    #expect(lost.gain == nil && lost.problems.contains { $0.path == "extends" }, "\(lost.problems)")
    try folder.write(Self.text(-23), to: "shared/base.json")
    try expect("scene", -23, isChecked: true)
  }

  @Test("brings back no preset that was deleted or broken")
  func deleted() throws {
    try expect("show", -10, isChecked: true)
    try folder.write("{ multiroute: 1, colour: 1 }", to: "own/show.json")
    for _ in 0..<2 { #expect(try !read("show").problems.isEmpty) }
    try folder.write(Self.text(-10), to: "own/show.json")
    #expect(try read("show").gain == -10)
    try System.unlink(folder.file("own/show.json"))
    #expect(throws: PresetLibraryError.self) { try read("show") }
    try folder.write(Self.text(-16), to: "shared/show.json")
    try expect("show", -16, isChecked: true)
  }

  @Test("keeps the last eight presets, and of large ones the last two")
  func bounds() throws {
    for number in 0..<9 {
      try folder.write(Self.text(-number), to: "own/s\(number).json")
      try expect("s\(number)", -Double(number), isChecked: true)
    }
    // The one used last is kept longest.
    try expect("s1", -1, isChecked: false)
    try expect("s0", 0, isChecked: true)
    try expect("s1", -1, isChecked: false)
    try expect("s2", -2, isChecked: true)
    let padding = "//" + String(repeating: " ", count: 300_000) + "\n"
    for number in 0..<3 {
      try folder.write(padding + Self.text(-number), to: "own/large\(number).json")
      try expect("large\(number)", -Double(number), isChecked: true)
    }
    try expect("large1", -1, isChecked: false)
    try expect("large2", -2, isChecked: false)
    try expect("large0", 0, isChecked: true)
  }

  @Test(
    "reads the titles of changed files only, and never trusts the status of a file that was written just now")
  func titles() throws {
    let files = [folder.file("own/show.json"), folder.file("own/scene.json")]
    // Files at rest: their last change is long past.
    let later = PresetMemory { System.realtime() + 60 }
    let read = Mutex<[String]>([])
    func titles(_ memory: PresetMemory) -> [String: String?] {
      memory.titles(of: files) { file in
        read.withLock { $0.append(file) }
        return (try? System.stat(file)).map { "\($0.size)" }
      }
    }
    func taken() -> [String] { read.withLock { read in (read, read = []).0 } }
    let first = titles(later)
    #expect(first.count == 2 && taken() == files)
    #expect(titles(later) == first && taken().isEmpty)
    try folder.write(Self.text(-100), to: "own/show.json")
    #expect(titles(later)[files[0]] != first[files[0]] && taken() == [files[0]])
    try System.unlink(files[1])
    #expect(titles(later)[files[1]] == .some(nil) && taken() == [files[1]])
    let now = PresetMemory()
    for _ in 0..<2 {
      _ = titles(now)
      #expect(taken() == files)
    }
  }
}
