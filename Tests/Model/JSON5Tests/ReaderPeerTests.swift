import Chance
import Foundation
import Testing

@testable import JSON5

@Suite("The reader agrees with the decoder of the toolchain")
struct ReaderPeerTests {
  /// A document without positions, as both readers can give it.
  indirect enum Tree: Equatable, Decodable {
    case object([String: Tree])
    case array([Tree])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let bool = try? value.decode(Bool.self) {
        self = .bool(bool)
      } else if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else if let string = try? value.decode(String.self) {
        self = .string(string)
      } else if let array = try? value.decode([Tree].self) {
        self = .array(array)
      } else {
        self = .object(try value.decode([String: Tree].self))
      }
    }

    /// The same value with `A` for `\u0041` in keys.
    var withPlainKeys: Tree {
      switch self {
      case .object(let members):
        .object(
          Dictionary(
            members.map { (Self.plain($0.key), $0.value.withPlainKeys) },
            uniquingKeysWith: { first, _ in first }))
      case .array(let elements): .array(elements.map(\.withPlainKeys))
      case .string, .number, .bool, .null: self
      }
    }

    private static func plain(_ key: String) -> String {
      key.replacing(/(?:\\u[0-9A-Fa-f]{4})+/) { match in
        let units = match.0.split(separator: "\\u").compactMap { UInt16($0, radix: 16) }
        return String(decoding: units, as: UTF16.self)
      }
    }

    init(_ value: PositionedValue) {
      switch value.kind {
      case .object(let members):
        self = .object(Dictionary(uniqueKeysWithValues: members.map { ($0.key, Tree($0.value)) }))
      case .array(let elements): self = .array(elements.map { Tree($0) })
      case .string(let text): self = .string(text)
      case .number(let number, _): self = .number(number)
      case .bool(let bool): self = .bool(bool)
      case .null, .unreadable: self = .null
      }
    }
  }

  /// The value that the toolchain's decoder reads. Only for text that our reader accepts: some damaged numbers crash the decoder.
  private func peer(_ text: String) -> Tree? {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    return try? decoder.decode(Tree.self, from: Data(text.utf8))
  }

  @Test("Both give the same values for random documents", arguments: 0..<8)
  func randomDocuments(seed: UInt64) {
    var writer = RandomJSON5(seed: seed)
    for _ in 0..<150 {
      let text = writer.document()
      let (value, problems) = JSON5Reader.read(text, file: "t")
      guard let value, problems.isEmpty else {
        Issue.record("refused: \(text)\n\(problems)")
        return
      }
      guard let expected = peer(text) else {
        Issue.record("the peer refuses: \(text)")
        return
      }
      #expect(Tree(value) == expected, "\(text)")
    }
  }

  @Test("The comparison finds a changed value: the test can fail")
  func control() throws {
    let value = try #require(JSON5Reader.read("{a: [1, 'x']}", file: "t").value)
    #expect(Tree(value) == peer("{a: [1, \"x\"]}"))
    #expect(Tree(value) != peer("{a: [1, \"y\"]}"))
    #expect(Tree(value) != peer("{a: [1.5, \"x\"]}"))
  }

  @Test(
    "Damaged documents never crash the reader, and a document that both readers accept has the same value",
    arguments: 0..<8)
  func damagedDocuments(seed: Int) {
    var random = SeededGenerator(seed: FuzzBudget.seed(1_000 + seed))
    var writer = RandomJSON5(seed: FuzzBudget.seed(2_000 + seed))
    var (accepted, refused) = (0, 0)
    for _ in FuzzBudget(rounds: 400) {
      var bytes = Array(writer.document().utf8)
      for _ in 0...Int.random(in: 0..<3, using: &random) { damage(&bytes, &random) }
      let (value, problems) = JSON5Reader.read(bytes, file: "t")
      #expect(problems == problems.sorted())
      #expect(value != nil || !problems.isEmpty, "a refused document has no problem")
      #expect(problems.count <= JSON5Reader.problemLimit + 1)
      let text = String(decoding: bytes, as: UTF8.self)
      if let value, problems.isEmpty {
        accepted += 1
        // The peer keeps the line break of a continued line, and escapes in keys without quotes.
        if !text.contains(/\\\R/), let expected = peer(text) {
          #expect(Tree(value).withPlainKeys == expected.withPlainKeys, "\(text)")
        }
      } else {
        refused += 1
        let lines = 1 + text.unicodeScalars.count { $0 == "\n" || $0 == "\r" }
        #expect(problems.allSatisfy { $0.line >= 1 && $0.line <= lines && $0.column >= 1 })
      }
    }
    #expect(accepted > 0 && refused > 0, "one of the outcomes did not occur")
  }

  private func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let signs = Array("{}[]:,;\"'\\/*#+-.0xeE\n\r \u{0}".utf8) + [0xFF, 0xC3, 0xE2]
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.insert(signs.randomElement(using: &random)!, at: place)
    case 1 where place < bytes.count: bytes.remove(at: place)
    case 2 where place < bytes.count: bytes[place] = signs.randomElement(using: &random)!
    default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0..<20, using: &random)))
    }
  }

  @Test("Random bytes never crash the reader", arguments: 0..<4)
  func randomBytes(seed: Int) {
    var random = SeededGenerator(seed: FuzzBudget.seed(3_000 + seed))
    let signs = Array("{}[]:,\"'\\/*#+-.0xue\n ab\u{2028}\u{201C}".utf8) + [0xFF, 0x80]
    for _ in FuzzBudget(rounds: 500) {
      let bytes = (0..<Int.random(in: 0..<60, using: &random)).map { _ in signs.randomElement(using: &random)!
      }
      let (value, problems) = JSON5Reader.read(bytes, file: "t")
      #expect(value != nil || !problems.isEmpty)
    }
  }

  @Test("Every beginning of a document is read, or refused with a problem")
  func beginnings() {
    var writer = RandomJSON5(seed: 7)
    let bytes = Array(writer.document().utf8)
    for length in 0..<bytes.count {
      let (value, problems) = JSON5Reader.read(Array(bytes[..<length]), file: "t")
      #expect(value == nil || problems.isEmpty)
      #expect(value != nil || !problems.isEmpty)
    }
  }
}
