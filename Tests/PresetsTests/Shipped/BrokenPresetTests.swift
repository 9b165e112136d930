import Presets
import Testing

@Suite("Every broken preset gives the messages that stand at its end")
struct BrokenPresetTests {
  static let names = Repository.presets(in: "presets/broken")

  /// Lines `// expect: 4:7: path: what; fix`, without the file's name; they stand at the end, where they move no other line.
  private static let mark = "// expect: "

  private func expected(_ text: String) -> [String] {
    lines(text).filter { $0.hasPrefix(Self.mark) }.map { String($0.dropFirst(Self.mark.count)) }
  }

  private func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test("All problems of a broken preset are named at once", arguments: names)
  func messages(of name: String) throws {
    let library = PresetLibrary(folders: [Repository.file("presets/broken")])
    let (preset, problems) = try library.read(name, with: Repository.reader)
    let messages = problems.map { problem in
      problem.description.replacing(Repository.file(""), with: "").replacing(
        "presets/broken/\(name).json:", with: "")
    }
    let text = try Repository.text("presets/broken/\(name).json")
    if Repository.regenerates {
      let document = lines(text).filter { !$0.hasPrefix(Self.mark) }.joined(separator: "\n")
      let marked = messages.map { Self.mark + $0 + "\n" }.joined()
      try Repository.write(document + marked, to: "presets/broken/\(name).json")
    } else {
      #expect(messages == expected(text))
    }
    #expect(preset == nil)
    #expect(!problems.isEmpty)
  }

  @Test("There is a broken preset for every kind of problem")
  func enough() { #expect(Self.names.count >= 12) }
}
