/// How the names of recordings are made: text with the words `{recorder}`, `{date}`, `{time}` and `{n}` in it.
public struct RecordingTemplate: Hashable, Sendable, CustomStringConvertible {
  /// Such as `desk-2026-03-01-20-15-00-1`.
  public static let standard = RecordingTemplate(checked: "{recorder}-{date}-{time}-{n}")

  public let description: String

  private static let words = ["recorder", "date", "time", "n"]
  private static let mostBytes = 128

  private init(checked: String) { description = checked }

  /// Why a text is no template.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String
  }

  /// Checks a template.
  ///
  /// - Throws: `Problem`, for an empty or long text, a slash, a name that begins with a dot, or an unknown word.
  public init(_ text: String) throws(Problem) {
    func refuse(_ reason: String) -> Problem {
      Problem(description: "\(text) is no name of recordings: \(reason)")
    }
    if text.isEmpty { throw refuse("it is empty") }
    if text.utf8.count > Self.mostBytes { throw refuse("it has more than \(Self.mostBytes) bytes") }
    if text.contains("/") { throw refuse("recordings lie in one folder, so it has no slash") }
    if text.hasPrefix(".") { throw refuse("a name that begins with a dot is hidden") }
    if text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) {
      throw refuse("it has control characters")
    }
    for part in text.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
      guard let end = part.firstIndex(of: "}"), Self.words.contains(String(part[..<end])) else {
        throw refuse("the words are \(Self.words.map { "{\($0)}" }.joined(separator: ", "))")
      }
    }
    description = text
  }

  /// The name of a recording, without its ending. Without `{n}` in the template, a second file of one name gets `-2`.
  ///
  /// - Parameters:
  ///   - day: as `2026-03-01`.
  ///   - time: as `20:15:00`.
  ///   - number: from 1, the first one that is free.
  func name(recorder: String, day: String, time: String, number: Int) -> String {
    var name = description
    let clock = time.split(separator: ":").joined(separator: "-")
    for (word, value) in [("recorder", recorder), ("date", day), ("time", clock), ("n", "\(number)")] {
      name = name.split(separator: "{\(word)}", omittingEmptySubsequences: false).joined(separator: value)
    }
    return number > 1 && !description.contains("{n}") ? "\(name)-\(number)" : name
  }
}
