import OSC
import Patterns
import Testing
import Threads

@Suite("Address patterns")
struct AddressPatternTests {
  @Test("A pattern matches as the table says", arguments: PatternRow.table)
  func row(_ row: PatternRow) throws {
    switch row.verdict {
    case .reject:
      #expect(throws: PatternError.self) { try AddressPattern(row.pattern) }
    case .yes:
      #expect(try AddressPattern(row.pattern).matches(row.address))
    case .no:
      #expect(try !AddressPattern(row.pattern).matches(row.address))
    }
  }

  @Test("The table holds every verdict, so that no branch passes by being empty")
  func tableIsComplete() {
    #expect(PatternRow.table.count == 81)
    #expect(PatternRow.table.contains { $0.verdict == .reject })
    #expect(PatternRow.table.contains { $0.verdict == .yes })
    #expect(PatternRow.table.contains { $0.verdict == .no })
  }

  @Test(
    "A pattern matches the names that a search of all possibilities finds",
    arguments: ["/*a*b", "/{a,ab}{b,}", "/?*[ab]", "/*{ab,ba}*", "/[!a]*b", "/{,a}{,b}", "/a{b,ba,a}?"])
  func agreesWithSearch(_ text: String) throws {
    let pattern = try AddressPattern(text)
    for name in Self.names(upTo: 5) {
      let expected = Self.search(Array(text.dropFirst())[...], name[...])
      #expect(pattern.matches("/" + String(name)) == expected, "\(text) against /\(String(name))")
    }
  }

  @Test("For a subscription a pattern also matches all addresses below those that it matches")
  func prefix() throws {
    let pattern = try AddressPattern("/session/{music,click}")
    #expect(pattern.matchesPrefix(of: "/session/music"))
    #expect(pattern.matchesPrefix(of: "/session/click/stream/main/gain"))
    #expect(!pattern.matchesPrefix(of: "/session"))
    #expect(!pattern.matchesPrefix(of: "/session/musical"))
    #expect(!pattern.matchesPrefix(of: "/output/music"))
    #expect(!pattern.matches("/session/click/stream/main/gain"))
  }

  @Test("A dispatcher can match part by part")
  func parts() throws {
    let pattern = try AddressPattern("/session/m*/gain")
    #expect(pattern.parts.count == 3)
    #expect(pattern.parts.map(\.isLiteral) == [true, false, true])
    #expect(pattern.parts[0].text == "session")
    #expect(pattern.parts[1].matches("music"))
    #expect(!pattern.parts[1].matches("click"))
    #expect(!pattern.isLiteral)
    #expect(try AddressPattern("/session/music/gain").isLiteral)
  }

  @Test("A text is plain exactly if it compiles to a pattern without wildcards")
  func plain() {
    var literals = 0
    for number in 0..<60_000 {
      // Every text of up to four of these characters, one after the other.
      let alphabet = Array("/abc*?[]{},# \u{7f}é")
      var (text, rest) = (number.isMultiple(of: 2) ? "/" : "", number)
      while rest > 0 {
        text.append(alphabet[rest % alphabet.count])
        rest /= alphabet.count
      }
      let isLiteral = (try? AddressPattern(text))?.isLiteral ?? false
      if isLiteral { literals += 1 }
      #expect(AddressPattern.isPlain(text) == isLiteral, "\(text)")
    }
    #expect(literals > 100)
    let longest = "/" + String(repeating: "a", count: AddressPattern.maximumLength - 1)
    #expect(AddressPattern.isPlain(longest) && !AddressPattern.isPlain(longest + "a"))
  }

  @Test("Wildcards of a text are found without compiling it")
  func isPattern() {
    for text in ["/a*", "/a?", "/[a]", "/{a}", "/a]", "/a}"] { #expect(AddressPattern.isPattern(text)) }
    for text in ["/a", "/a-b_c!", "", "/a b"] { #expect(!AddressPattern.isPattern(text)) }
  }

  @Test("Letters that look equal are different characters")
  func scalarsNotStrings() throws {
    // The Kelvin sign equals K as text, but is another address.
    #expect(try !AddressPattern("/K").matches("/\u{212A}"))
    #expect(try AddressPattern("/[!K]").matches("/\u{212A}"))
  }

  @Test(
    "Every error names its reason",
    arguments: [
      ("a", PatternError.noLeadingSlash), ("/a//b", .emptyPart), ("/[a", .unclosedBracket),
      ("/{a", .unclosedBrace),
      ("/a]", .strayBracket("]")), ("/[!]", .emptySet), ("/[c-a]", .reversedRange("c", "a")),
      ("/a\tb", .badCharacter("\t")), ("/é", .badCharacter("é")), ("/[a*]", .badCharacter("*")),
      ("/" + String(repeating: "a", count: 1_024), .tooLong(limit: 1_024)),
    ])
  func reasons(_ text: String, _ reason: PatternError) {
    #expect(throws: reason) { try AddressPattern(text) }
    #expect(reason.description.hasSuffix("."))
  }

  /// Texts for which a matcher with backtracking takes minutes.
  static let expensive: [String] = {
    var texts = [String(repeating: "/*", count: 200)]
    for count in [8, 10, 20, 40] {
      texts.append("/" + String(repeating: "*?", count: count) + "Z")
      texts.append("/" + String(repeating: "{s,e}*", count: count) + "Z")
    }
    let words = Array(repeating: "s", count: 500).joined(separator: ",")
    texts.append("/*{\(words)}Z")
    return texts
  }()

  @Test("No pattern takes long", arguments: expensive)
  func cost(_ text: String) throws {
    let pattern = try AddressPattern(text)
    let address = "/" + String(repeating: "se", count: 21) + "x"
    #expect(address.utf8.count == 44)
    let start = OwnThread.processorSeconds
    #expect(!pattern.matches(address))
    // A guard against a hang, not a measure: backtracking takes minutes here.
    #expect(OwnThread.processorSeconds - start < 1)
  }

  @Test("A thousand open braces are refused at once")
  func manyBraces() {
    #expect(throws: PatternError.unclosedBrace) {
      try AddressPattern("/" + String(repeating: "{", count: 1_000))
    }
  }

  @Test("Messages of a bundle reach their methods in order")
  func dispatchOrder() throws {
    let methods = ["/first/this/one", "/second/1", "/second/2", "/third/a", "/third/b", "/third/c"]
    let bundle = OSCBundle(
      ["/first/this/one", "/second/[1-2]", "/third/*"].map { .message(OSCMessage($0)) })
    let packet = try PacketDecoder().decode(PacketEncoder.encode(bundle))
    let calls = try packet.messages.map { message in
      let pattern = try AddressPattern(message.address)
      return Set(methods.filter { pattern.matches($0) })
    }
    #expect(calls == [Set(methods[..<1]), Set(methods[1..<3]), Set(methods[3...])])
  }

  /// All names of the letters a, b and c up to a length.
  private static func names(upTo length: Int) -> [[Character]] {
    guard length > 0 else { return [[]] }
    let shorter = names(upTo: length - 1)
    return shorter + shorter.filter { $0.count == length - 1 }.flatMap { name in "abc".map { name + [$0] } }
  }

  /// The slow way to match: tries all lengths that a wildcard can match.
  private static func search(_ pattern: ArraySlice<Character>, _ name: ArraySlice<Character>) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case "*":
      return search(rest, name) || (!name.isEmpty && search(pattern, name.dropFirst()))
    case "?":
      return !name.isEmpty && search(rest, name.dropFirst())
    case "[":
      let end = rest.firstIndex(of: "]")!
      let isInverted = rest.first == "!"
      guard let letter = name.first, rest[..<end].contains(letter) != isInverted else { return false }
      return search(rest[end...].dropFirst(), name.dropFirst())
    case "{":
      let end = rest.firstIndex(of: "}")!
      return rest[..<end].split(separator: ",", omittingEmptySubsequences: false).contains { word in
        name.starts(with: word) && search(rest[end...].dropFirst(), name.dropFirst(word.count))
      }
    default:
      return name.first == first && search(rest, name.dropFirst())
    }
  }
}
