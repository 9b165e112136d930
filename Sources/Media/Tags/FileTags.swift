/// What the tags and headers of a sound file say. A text that the file lacks is empty.
public struct FileTags: Equatable, Sendable {
  public var title = ""
  public var artist = ""
  public var album = ""
  public var albumArtist = ""
  public var genre = ""
  public var composer = ""
  /// The number on its disc, and the number of the disc; 0 if the file does not tell.
  public var (track, disc) = (0, 0)
  /// Whether the album is marked as a compilation of several artists.
  public var isCompilation = false
  /// Length in seconds; 0 if the file does not tell. An mp3 with a varying bit rate and without Xing's header tells a wrong one.
  public var seconds = 0.0
  public var hasPicture = false

  public init() {}

  /// Takes one value of a property, by the names that TagLib gives to properties of all formats.
  mutating func take(_ name: String, _ value: String) {
    switch name {
    case "TITLE": Self.add(value, to: &title)
    case "ARTIST": Self.add(value, to: &artist)
    case "ALBUM": Self.add(value, to: &album)
    case "ALBUMARTIST", "ALBUM ARTIST": Self.add(value, to: &albumArtist)
    case "GENRE": Self.add(value, to: &genre)
    case "COMPOSER": Self.add(value, to: &composer)
    case "TRACKNUMBER": track = Self.number(value)
    case "DISCNUMBER": disc = Self.number(value)
    case "COMPILATION": isCompilation = Self.number(value) == 1
    default: break
    }
  }

  /// Longest text that is kept, in characters of Unicode; longer ones are hardly names.
  private static let longest = 500

  /// Several values of one property become one text. Control characters, such as line breaks, become blanks.
  private static func add(_ value: String, to text: inout String) {
    let scalars = value.unicodeScalars.prefix(longest).map { scalar in
      scalar.properties.generalCategory == .control ? " " : Character(scalar)
    }
    let clean = String(scalars).split(separator: " ").joined(separator: " ")
    guard !clean.isEmpty, text.unicodeScalars.count < longest else { return }
    text = text.isEmpty ? clean : "\(text); \(clean)"
  }

  /// The number at the start of a text such as `3/12`.
  private static func number(_ text: String) -> Int {
    min(9_999, Int(text.drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber }.prefix(9)) ?? 0)
  }
}
