import Checkout
import JSON5
import Presets
import Testing

@Suite("Every broken preset gives the messages in the comments at its end")
struct BrokenPresetTests {
  static let names = Checkout.names(in: "presets/broken", ending: ".json").map { String($0.dropLast(5)) }

  /// The beginning of lines such as `// expect: 4:7: path: what; fix`. They are at the end of the file, so that they move no other line.
  private static let mark = "// expect: "

  private func expected(_ text: String) -> [String] {
    lines(text).filter { $0.hasPrefix(Self.mark) }.map { String($0.dropFirst(Self.mark.count)) }
  }

  private func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test("All problems of a broken preset are reported at once", arguments: names)
  func messages(of name: String) throws {
    let library = PresetLibrary(folders: [Checkout.file("presets/broken")])
    let (preset, problems) = try library.read(name, with: PresetReader.withLaw)
    let messages = problems.map { problem in
      problem.description.replacing(Checkout.file(""), with: "").replacing(
        "presets/broken/\(name).json:", with: "")
    }
    let text = try Checkout.text("presets/broken/\(name).json")
    if Checkout.regenerates {
      let document = lines(text).filter { !$0.hasPrefix(Self.mark) }.joined(separator: "\n")
      let marked = messages.map { Self.mark + $0 + "\n" }.joined()
      try Checkout.write(document + marked, to: "presets/broken/\(name).json")
    } else {
      #expect(messages == expected(text))
    }
    #expect(preset == nil)
    #expect(!problems.isEmpty)
  }

  @Test("There is a broken preset for every kind of problem")
  func enough() { #expect(Self.names.count >= 12) }
}
