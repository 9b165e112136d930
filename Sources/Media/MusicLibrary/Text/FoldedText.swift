@_spi(_Unicode) import Swift

/// A text as searches and lists see it: lower case, without accents and punctuation, words separated by one blank.
///
/// `Café  del Mar!` and `cafe del mar` are one text. A text of punctuation alone stays as it is, in lower case, so that it has a name at all.
struct FoldedText: Hashable, Sendable {
  let bytes: [UInt8]

  init(_ text: String) {
    let words = Self.plainWords(text)
    bytes = words.isEmpty ? Array(text.lowercased().utf8).filter { $0 != 0 } : words
  }

  var string: String { String(decoding: bytes, as: UTF8.self) }
  var words: [Substring] { string.split(separator: " ") }

  private static let blank = UInt8(ascii: " ")

  private static func plainWords(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var isBetweenWords = false
    func append(_ letter: some Sequence<UInt8>) {
      if isBetweenWords, !bytes.isEmpty { bytes.append(blank) }
      isBetweenWords = false
      bytes += letter
    }
    // Letters with accents become a letter and its accents; the standard library has no public name for that.
    for scalar in text._nfd {
      if scalar.isASCII {
        switch UInt8(scalar.value) {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
          append(CollectionOfOne(UInt8(scalar.value)))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): append(CollectionOfOne(UInt8(scalar.value) | 0x20))
        case UInt8(ascii: "'"): break
        default: isBetweenWords = true
        }
      } else if let letters = inseparable[scalar] {
        append(letters.utf8)
      } else if scalar != "\u{2019}" {
        switch scalar.properties.generalCategory {
        case .nonspacingMark: break
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
          .spacingMark,
          .decimalNumber, .letterNumber, .otherNumber:
          append(scalar.properties.lowercaseMapping.utf8)
        default: isBetweenWords = true
        }
      }
    }
    return bytes
  }

  /// Letters that Unicode does not take apart, as people write them who lack the key.
  private static let inseparable: [Unicode.Scalar: String] = [
    "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l",
    "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "þ": "th", "Þ": "th", "ħ": "h", "Ħ": "h", "ı": "i",
  ]
}
