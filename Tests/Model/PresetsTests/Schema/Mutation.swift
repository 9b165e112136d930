import Chance
import JSON5
import SessionModel

@testable import Presets

/// Changes random places of documents.
struct Mutation {
  private var generator: SeededGenerator
  /// Keys and values from all documents, which mutations put elsewhere.
  private let keys: [String]
  private let parts: [JSONValue]
  /// The values of each key in all documents.
  private let values: [String: [JSONValue]]

  init(seed: UInt64, of documents: [JSONValue]) {
    generator = SeededGenerator(seed: seed)
    let parts = documents.flatMap(\.parts)
    self.parts = parts
    values = Dictionary(grouping: parts.flatMap(\.members), by: \.key).mapValues { $0.map(\.value) }
    keys = values.keys.sorted() + Self.oddKeys
  }

  private static let oddKeys = [
    "extends", "players", "none", "A", "", "usb:0", "usb:1-2", "usb:2-1", "usb:1:3+2:4", "usb:1:3+1:3",
    "usb:01", "usb:1024",
    "usb:1025", "input:mic", "input:", "1", "64", "65", "01", "/output/usb/gain", "/output/usb/",
    "//output/usb/gain",
    "/ramp", "/preset/go", "/session/a/stream/b/from", "a\n", String(repeating: "a", count: 33),
  ]

  private static let oddValues: [JSONValue] = [
    .null, true, false, 0, 1, 2, -1, 2.5, 11, -1_000, 1_000_000, "", "off", "inherit", "all", "gain+mute",
    "gain+", "+",
    "a.b", "a..b", "stream:a.b", "stream:a", "output:usb", "output:usb.a", "output:", "a b", "-a", "Zita",
    "/output/*/gain", "/[", "input:mic", "1=a:b", "line\nbreak", "\u{85}",
    "😀",
    .string(String(repeating: "a", count: 257)), .string(String(repeating: "é", count: 200)),
    .string(String(repeating: "é", count: 257)), .string(String(repeating: "a", count: 1_401)),
    .string(String(repeating: "a", count: 4_097)), [], [[]], ["a", 1], [:], ["a": "b"], ["1": ["a:b"]],
    ["65": []],
    ["ports": "a:*"], ["none": ["a:*"]], ["gain": -6],
  ]

  /// The document after a few changes.
  mutating func mutate(_ document: JSONValue) -> JSONValue {
    var document = document
    for _ in 0..<max(1, pick(-3...3)) { document = changed(document) }
    return document
  }

  private mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  private mutating func pick<Element>(_ list: [Element]) -> Element { list.randomElement(using: &generator)! }

  private mutating func changed(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(var members):
      guard !members.isEmpty, pick(1...30) > 1 else { return replaced(value) }
      let index = pick(0...members.count - 1)
      switch pick(1...16) {
      case 1, 5: members.remove(at: index)
      // What the key has elsewhere is often right here.
      case 6...9: members[index].value = pick(values[members[index].key] ?? parts)
      case 2: members[index].key = freeKey(among: members)
      case 3: members.append(.init(freeKey(among: members), pick(parts)))
      case 4: members.append(.init(freeKey(among: members), members[index].value))
      default: members[index].value = changed(members[index].value)
      }
      return .object(members)
    case .array(var elements):
      guard !elements.isEmpty, pick(1...6) > 1 else { return replaced(value) }
      let index = pick(0...elements.count - 1)
      switch pick(1...6) {
      case 1: elements.remove(at: index)
      case 2: elements.append(elements[index])
      case 3: elements.append(pick(parts))
      default: elements[index] = changed(elements[index])
      }
      return .array(elements)
    default: return replaced(value)
    }
  }

  /// A key that the object does not have: a document names each key once.
  private mutating func freeKey(among members: [JSONValue.Member]) -> String {
    let taken = Set(members.map(\.key))
    while true {
      let key = pick(1...5) == 1 ? "\(pick(keys))\(pick(["x", "-2", "\n", "X"]))" : pick(keys)
      if !taken.contains(key) { return key }
    }
  }

  private mutating func replaced(_ value: JSONValue) -> JSONValue {
    switch (value, pick(1...6)) {
    case (.number(let number), 1...4):
      .number(pick([number / 2, -number, number + 1, number * 1_000, number - 0.5]))
    case (.string(let text), 1...2):
      .string(pick([text + "x", text.uppercased(), text + text, "\(text)\n", String(text.dropLast())]))
    case (.bool(let flag), 1...3): .bool(!flag)
    case (_, 5): pick(parts)
    default: pick(Self.oddValues)
    }
  }
}

extension JSONValue {
  /// The value of a document that was read; nil for one with parts that could not be read.
  init?(_ value: PositionedValue) {
    switch value.kind {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .number(let number, _): self = .number(number)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.compactMap { JSONValue($0) })
    case .object(let members):
      self = .object(members.compactMap { member in JSONValue(member.value).map { Member(member.key, $0) } })
    case .unreadable: return nil
    }
  }

  /// The value and all values in it.
  fileprivate var parts: [JSONValue] {
    switch self {
    case .object(let members): [self] + members.flatMap(\.value.parts)
    case .array(let elements): [self] + elements.flatMap(\.parts)
    default: [self]
    }
  }

  fileprivate var members: [Member] { if case .object(let members) = self { members } else { [] } }
}
