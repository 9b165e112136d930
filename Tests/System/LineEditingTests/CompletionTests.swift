import Testing

@testable import LineEditing

@Suite("A word is completed as far as it is certain")
struct CompletionTests {
  @Test(
    "The only word is inserted with what follows it, several as far as they agree, and none changes nothing",
    arguments: [
      ("ga", ["gain", "mute"], Completion(insertion: "in ")),
      ("gain", ["gain", "mute"], Completion(insertion: " ")),
      ("x", ["gain", "mute"], Completion()),
      ("p", ["playback", "playAndRecord"], Completion(insertion: "lay")),
      ("play", ["playback", "playAndRecord", "record"], Completion(choices: ["playback", "playAndRecord"])),
      ("", ["on", "off"], Completion(choices: ["on", "off"])), ("", ["none"], Completion(insertion: "none ")),
      ("duck", ["duck", "ducked"], Completion(choices: ["duck", "ducked"])),
      ("B", ["Bühne", "Bürste"], Completion(insertion: "ü")),
    ])
  func words(word: String, words: [String], completion: Completion) {
    #expect(Completion(word, among: words) == completion)
  }

  @Test("What follows the only word depends on the word")
  func end() {
    #expect(Completion("u", among: ["usb"]) { $0 == "usb" ? "/" : " " }.insertion == "sb/")
  }

  @Test("Choices stand in columns, downwards, within the width")
  func columns() {
    let completion = Completion(choices: ["one", "two", "three", "four", "five"], note: "numbers")
    #expect(completion.lines(width: 20) == ["one    four", "two    five", "three", "numbers"])
    #expect(completion.lines(width: 4).count == 6)
    #expect(completion.lines(width: 80) == ["one    two    three  four   five", "numbers"])
    #expect(Completion().lines(width: 80).isEmpty)
  }
}
