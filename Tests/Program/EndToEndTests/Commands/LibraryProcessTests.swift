import Foundation
import SongFiles
import TestKit
import Testing

@Suite struct LibraryProcessTests {
  @Test("Processes that scan one library at once share the work, and one that is killed leaves it whole")
  func processes() throws {
    let program = try ProgramHome()
    let media = try TemporaryFolder()
    try SongCollectionFolder.make(1_000, in: media.path)
    let arguments = ["library", "scan", "--media", media.path, "--state", media.file(".state"), "--json"]
    let killed = try program.start(arguments)
    killed.send(signal: SIGKILL)
    _ = killed.wait(seconds: 20)
    let children = try (0..<3).map { _ in try program.start(arguments) }
    var opened = 0
    for child in children {
      #expect(child.wait(seconds: 60) == 0)
      let value = try JSONSerialization.jsonObject(with: Data(child.output.text.utf8)) as? [String: Any]
      opened += value?["opened"] as? Int ?? 0
    }
    // The killed one may have read some already, and the shipped sounds are in the library, too.
    #expect(opened <= 1_010)
    let shown = try program.run(
      "library", "find", "folder:Artist 3", "--media", media.path, "--state", media.file(".state"))
    #expect(shown.code == 0 && shown.error.isEmpty && shown.output.split(separator: "\n").count == 41)
  }

  @Test("An installed program reads tags by its library in lib/multiroute, and says if that is missing")
  func installed() throws {
    let (home, prefix, media) = (try ProgramHome(), try TemporaryFolder(), try TemporaryFolder())
    let files = FileManager.default
    for folder in ["bin", "lib/multiroute"] {
      try files.createDirectory(atPath: prefix.file(folder), withIntermediateDirectories: true)
    }
    let place = prefix.file("lib/multiroute/libmultiroute-tags.so")
    // A child of ours copies the program: the system refuses to start a file that this process may still have open for writing.
    for (name, place) in [
      ("multiroute", prefix.file("bin/multiroute")), ("libmultiroute-tags.so", place),
    ] { #expect(try ChildProcess("cp", [ChildProcess.product(name), place]).wait() == 0) }
    try Data(try SongFile.flac(["TITLE": "Tagged"])).write(to: URL(fileURLWithPath: media.file("song.flac")))
    func run(_ words: String...) throws -> ProgramHome.Result {
      try home.run(
        words + ["--media", media.path, "--state", media.file(".state")],
        program: prefix.file("bin/multiroute"))
    }
    #expect(try run("library", "scan").code == 0)
    #expect(try run("library", "find", "title:tagged").output.contains("Tagged"))
    try files.removeItem(atPath: place)
    try Data(try SongFile.flac(["TITLE": "Next"])).write(to: URL(fileURLWithPath: media.file("next.flac")))
    let failed = try run("library", "scan")
    #expect(
      failed.code != 0
        && failed.error.contains(
          "one of libmultiroute-tags.so or libmultiroute-tags2.so is needed, and none is there"),
      "\(failed.error)")
  }
}
