/// What `find` searches for: words, and fields with values.
///
/// `blue train` finds songs that have both words, or words that begin so, in their titles, artists, albums, composers, genres or folders.
/// `album:Blue` finds the songs whose album is called Blue; if no album is, those whose album has a word that begins so. A value ends at the next field or at its quotation mark:
/// `album:Kind of Blue artist:"Miles Davis" so what`. All parts must hold.
struct LibraryQuery: Equatable {
  /// The fields, by their names in a query.
  enum Field: String, CaseIterable {
    case title, artist, album, albumartist, genre, composer, folder, playlist, podcast, audiobook,
      compilation, id
  }

  /// A field and its value.
  struct Term: Equatable {
    var field: Field
    var value: String
  }

  var terms: [Term] = []
  /// Words of any field, folded.
  var words: [String] = []

  init(_ text: String) {
    var rest = Substring(text)
    while true {
      rest = rest.drop(while: \.isWhitespace)
      guard !rest.isEmpty else { return }
      if let (field, behind) = Self.field(at: rest) {
        let (value, next) = Self.value(behind)
        terms.append(Term(field: field, value: value))
        rest = next
      } else {
        let word = rest.prefix { !$0.isWhitespace }
        words += FoldedText(String(word)).words.map(String.init)
        rest = rest.dropFirst(word.count)
      }
    }
  }

  /// The field with which a text begins, and what is behind its colon.
  private static func field(at text: Substring) -> (Field, Substring)? {
    guard let colon = text.firstIndex(of: ":"), text[..<colon].count <= 12,
      let field = Field(rawValue: text[..<colon].lowercased())
    else { return nil }
    return (field, text[text.index(after: colon)...])
  }

  /// The value of a field, and what is behind it.
  private static func value(_ text: Substring) -> (String, Substring) {
    let text = text.drop(while: \.isWhitespace)
    if text.first == "\"" {
      let inside = text.dropFirst()
      guard let end = inside.firstIndex(of: "\"") else { return (String(inside), "") }
      return (String(inside[..<end]), inside[inside.index(after: end)...])
    }
    var rest = text
    var end = text.startIndex
    while !rest.isEmpty, field(at: rest) == nil {
      let word = rest.prefix { !$0.isWhitespace }
      end = word.endIndex
      rest = rest[end...].drop(while: \.isWhitespace)
    }
    return (String(text[..<end]), rest)
  }

  /// A value as it stands in a query.
  static func quoted(_ value: String) -> String { "\"\(value.replacing("\"", with: "'"))\"" }
}
