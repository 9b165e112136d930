import Testing

@testable import MusicLibrary

@Suite struct SortingTests {
  @Test(
    "A folded text has no case, accents and punctuation",
    arguments: [
      ("Café  del Mar!", "cafe del mar"), ("Große Straße", "grosse strasse"), ("Ænima", "aenima"),
      ("Sigur Rós – Ágætis byrjun", "sigur ros agaetis byrjun"), ("Don't", "dont"), ("Don’t", "dont"),
      ("AC/DC", "ac dc"),
      ("Dvořák", "dvorak"), ("Łódź", "lodz"), ("日本", "日本"), ("ΩΜΕΓΑ", "ωμεγα"), ("!!!", "!!!"), ("", ""),
      ("e\u{301}te\u{301}", "ete"), ("Москва", "москва"),
    ])
  func folding(text: String, folded: String) { #expect(FoldedText(text).string == folded) }

  @Test("Names are in the order in which people look for them")
  func order() {
    let names = [
      "Track 1", "track 2", "Track 02b", "TRACK 9", "Track 10", "Track 0100",
      "track 1000000000000000000000000",
      "The Trackers", "Trackers 2", "Último", "Zoë", "zoe 2",
    ]
    var generator = SystemRandomNumberGenerator()
    let sorted = names.shuffled(using: &generator).sorted {
      SortKey($0).bytes.lexicographicallyPrecedes(SortKey($1).bytes)
    }
    #expect(sorted == names)
  }

  @Test("Names that differ only in case, accents, punctuation or The are one name")
  func equality() {
    #expect(SortKey("The Beatles") == SortKey("beatles"))
    #expect(SortKey("Help!") == SortKey("HELP"))
    #expect(SortKey("The The") == SortKey("the"))
    #expect(SortKey("Track 01") == SortKey("Track 1"))
    #expect(SortKey("!!!") != SortKey("???"))
    #expect(SortKey("") == .none && SortKey("!") != .none)
  }

  @Test("No key contains the byte that separates keys")
  func separator() {
    for text in ["a\u{1}b", "0", "00", String(repeating: "9", count: 400), "\u{0}"] {
      #expect(!SortKey(text).bytes.contains(SortKey.separator), "\(text)")
    }
  }

  @Test("A media id is read as it is written, and nothing else is one")
  func mediaIDs() {
    for index in 0..<2_000 {
      let id = MediaID(naming: "Jazz/\(index).flac", attempt: 0)
      #expect(MediaID("\(id)") == id)
      #expect(id != MediaID(naming: "Jazz/\(index).flac", attempt: 1))
    }
    #expect("\(MediaID(number: -1))" == "id:fzzzzzzzzzzzz" && MediaID("id:fzzzzzzzzzzzz")?.number == -1)
    for text in [
      "", "id:", "id:0000000000000", "id:gzzzzzzzzzzzz", "id:000000000001", "id:00000000000u1",
      "0000000000001",
    ] {
      #expect(MediaID(text) == nil, "\(text)")
    }
  }

  @Test("A query is words, and fields with values that end at the next field")
  func queries() {
    let query = LibraryQuery(#"so What album:Kind of Blue artist:"Miles Davis" live 12:51"#)
    #expect(query.words == ["so", "what", "live", "12", "51"])
    #expect(
      query.terms == [
        .init(field: .album, value: "Kind of Blue"), .init(field: .artist, value: "Miles Davis"),
      ])
    #expect(LibraryQuery("Album: Blue ").terms == [.init(field: .album, value: "Blue")])
    #expect(LibraryQuery(#"album:"Blue"#).terms == [.init(field: .album, value: "Blue")])
    #expect(LibraryQuery("album:").terms == [.init(field: .album, value: "")])
    #expect(LibraryQuery(#"""#).words == [#"""#])
    #expect(LibraryQuery("  ") == LibraryQuery(""))
  }
}
