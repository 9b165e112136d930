import SessionModel

/// How the names of recordings are made: text with the words of `RecordingWord` in braces.
public struct RecordingTemplate: Hashable, Sendable, CustomStringConvertible {
  /// Such as `desk-2026-03-01-20-15-00-1`.
  public static let standard = RecordingTemplate(checked: "{recorder}-{date}-{time}-{n}")

  public let description: String

  private init(checked: String) { description = checked }

  /// Why a text is no template.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String
  }

  /// Checks a template.
  ///
  /// - Throws: `Problem`, for what `MediaRecorder.fault(ofTemplate:)` finds.
  public init(_ text: String) throws(Problem) {
    if let fault = MediaRecorder.fault(ofTemplate: text) {
      throw Problem(description: "\(text) is no name of recordings: \(fault)")
    }
    description = text
  }

  /// The name of a recording, without its ending. Without `{n}` in the template, a second file of one name gets `-2`.
  ///
  /// - Parameters:
  ///   - values: what stands for the words; nothing for one that is not there.
  ///   - number: from 1, the first one that is free.
  func name(_ values: [RecordingWord: String], number: Int) -> String {
    var name = description
    let values = values.merging([.n: "\(number)"]) { $1 }
    for word in RecordingWord.allCases {
      let parts = name.split(separator: "{\(word)}", omittingEmptySubsequences: false)
      name = parts.joined(separator: Self.sanitized(values[word] ?? ""))
    }
    // A word at the start may be empty, or begin with a dot, which would hide the file.
    if name.isEmpty || name.hasPrefix(".") { name = "-" + name }
    return number > 1 && !description.contains("{n}") ? "\(name)-\(number)" : name
  }

  /// A value without what no name may have. It stays so short that a template of the longest length with all words fits into a name.
  private static func sanitized(_ value: String) -> String {
    let scalars = value.unicodeScalars.map { scalar in
      scalar == "/" || scalar == "{" || scalar == "}" || scalar.value < 32 || scalar.value == 127
        ? "-" : scalar
    }
    var kept = String(String.UnicodeScalarView(scalars))
    while kept.utf8.count > mostBytesOfWord { kept.removeLast() }
    return kept
  }

  private static let mostBytesOfWord = 32
}
