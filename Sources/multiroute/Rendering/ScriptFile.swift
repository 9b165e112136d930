import Commands
import OSC
import Router

/// Reads a script of timed OSC, a line each: `2.5 /session/announce/active 1`.
enum ScriptFile {
  /// Blank lines and lines that begin with `#` are passed over; a text with blanks stands in double quotes.
  /// - Throws: `CommandFailure` unreadableFile, or badPreset with every wrong line.
  static func read(_ path: String) throws(CommandFailure) -> [Renderer.Cue] {
    var cues: [Renderer.Cue] = []
    var problems: [String] = []
    let lines = String(decoding: try Files.read(path), as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let words = Self.words(line)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      guard let time = Double(first), time >= 0, time.isFinite else {
        problems.append("\(path):\(index + 1): '\(first)' is no time in seconds; write 2.5 /address arguments")
        continue
      }
      guard words.count > 1, words[1].hasPrefix("/") else {
        problems.append("\(path):\(index + 1): an address such as /session/show/gain belongs behind the time")
        continue
      }
      let message = OSCMessage(words[1], words.dropFirst(2).map(OSCArgument.init(typed:)))
      cues.append(Renderer.Cue(time: time, message: message))
    }
    guard problems.isEmpty else { throw CommandFailure(.badPreset, problems) }
    // Lines of the same time keep their order.
    return cues.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in line {
      if character == "\"" {
        isQuoted.toggle()
        word = word ?? ""
      } else if character.isWhitespace, !isQuoted {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let done = word { words.append(done) }
    return words
  }
}
