/// Which settings of a recorder a file can have (docs/develop/law/media.md#10-formats).
extension MediaRecorder {
  /// Why no file could be made with the settings, in one sentence; nil if one can.
  /// - Parameter sourceChannels: channels of the source, which count for a recorder without channels of its own.
  public func fault(of sourceChannels: Int) -> String? {
    let channels = channels > 0 ? channels : sourceChannels
    if channels > format.mostChannels {
      return
        "\(format) holds \(format.mostChannels) channels, not \(channels); set /recorder/\(id)/channels, or format wav"
    }
    if !format.bits.isEmpty, !format.bits.contains(bits) {
      return "\(format) has samples of \(Self.list(format.bits)) bits, not \(bits); set /recorder/\(id)/bits"
    }
    if rate > 0, format == .opus, !Self.opusRates.contains(rate) {
      return
        "opus has a rate of \(Self.list(Self.opusRates)) Hz, not \(rate); set /recorder/\(id)/rate, or 0 there"
    }
    return nil
  }

  /// Why a text is no template of names, as far as one needs no folder to see; nil if nothing is wrong with it.
  public static func fault(ofTemplate text: String) -> String? {
    if text.isEmpty { return "it is empty" }
    if text.contains("/") { return "recordings lie in one folder, so it has no slash" }
    if text.hasPrefix(".") { return "a name that begins with a dot is hidden" }
    if text.utf8.count > longestTemplate { return "it has more than \(longestTemplate) bytes" }
    if text.unicodeScalars.contains(where: \.isControl) { return "it has control characters" }
    return faultOfWords(in: text)
  }

  private static func faultOfWords(in text: String) -> String? {
    let known = "the words are \(RecordingWord.allCases.map { "{\($0)}" }.joined(separator: " "))"
    for part in text.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
      guard let end = part.firstIndex(of: "}") else {
        return "{\(part) has no closing brace; \(known)"
      }
      guard RecordingWord(rawValue: String(part[..<end])) != nil else {
        return "there is no word {\(part[..<end])}; \(known)"
      }
    }
    return nil
  }

  /// Bits of a sample that any format has.
  public static let depths = [16, 24, 32]
  private static let opusRates = [8_000, 12_000, 16_000, 24_000, 48_000]
  private static let longestTemplate = 128

  private static func list(_ numbers: [Int]) -> String {
    numbers.dropLast().map(String.init).joined(separator: ", ") + " or \(numbers.last ?? 0)"
  }
}

/// The words that a template of names may have, in braces.
public enum RecordingWord: String, CaseIterable, Sendable {
  /// The recorder's id.
  case recorder
  /// The day and the time of the first frame, such as `2026-03-01` and `20-15-00`.
  case date, time
  /// From 1, the first number with which no file has the name.
  case n
  /// The preset in force when the file begins.
  case scene
  /// The session that is recorded; of a device its id.
  case session
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { value < 32 || value == 127 }
}

extension RecordingFormat {
  fileprivate var mostChannels: Int { self == .wav ? SessionStream.maximumChannels : 8 }

  /// Bits of a sample; empty if the format has none.
  fileprivate var bits: [Int] {
    switch self {
    case .wav: MediaRecorder.depths
    case .flac: [16, 24]
    case .opus: []
    }
  }
}
