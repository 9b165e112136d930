import Parameters
import SessionModel
import Testing

@Suite("The table of parameters")
struct TableTests {
  @Test("Every address occurs once")
  func uniqueAddresses() {
    let addresses = Table.parameters.map(\.address)
    #expect(Set(addresses).count == addresses.count)
  }

  @Test(
    "Every part of an address is a word or a known placeholder", arguments: Table.parameters.map(\.address))
  func parts(_ address: String) {
    #expect(address.hasPrefix("/") && !address.hasSuffix("/"))
    for part in address.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      let isWord =
        !part.isEmpty
        && part.utf8.allSatisfy {
          (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        }
      #expect(isWord || Placeholder(rawValue: String(part)) != nil, "\(part)")
    }
  }

  @Test("Every entry has a sentence as its summary", arguments: Table.parameters)
  func sentences(_ parameter: Parameter) {
    #expect(parameter.summary.count > 8, "\(parameter.address)")
    #expect(parameter.summary.hasSuffix("."), "\(parameter.address)")
    #expect(!parameter.summary.contains("\n"), "\(parameter.address)")
  }

  @Test(
    "Whoever may view gets every report but the list of tokens",
    arguments: Table.parameters.filter { $0.command?.isReport == true && $0.address != "/token/list" })
  func reports(_ parameter: Parameter) {
    #expect(parameter.right <= .view, "\(parameter.address)")
  }

  @Test(
    "Only settable parameters have a scope or a preset key, and only they and commands a permission above control",
    arguments: Table.parameters)
  func settable(_ parameter: Parameter) {
    guard !parameter.isWritable else { return }
    #expect(parameter.scope == nil, "\(parameter.address)")
    #expect(parameter.key == nil, "\(parameter.address)")
    #expect(parameter.right <= .control || parameter.isCommand, "\(parameter.address)")
  }

  @Test(
    "Every settable leaf belongs to exactly one word of the scope of a recall", arguments: Table.parameters)
  func scopes(_ parameter: Parameter) {
    #expect((parameter.scope != nil) == parameter.isWritable, "\(parameter.address)")
  }

  @Test("The words of the scope share out all settable leaves among them")
  func sharedScopes() {
    let words = Scope.allCases.map { word in Table.parameters.filter { $0.scope == word }.count }
    let named = zip(Scope.allCases, words).map { "\($0) \($1)" }
    #expect(words.reduce(0, +) == Table.parameters.filter(\.isWritable).count)
    #expect(
      named == [
        "category 36", "active 17", "route 37", "gain 20", "mute 21", "pan 11", "delay 2", "limit 28",
        "duck 10",
        "player 26", "process 34",
      ])
  }

  @Test("A preset key occurs once for each owner, and is the name of the leaf")
  func uniqueKeys() {
    var seen: Set<String> = []
    for parameter in Table.parameters {
      guard let key = parameter.key else { continue }
      let owner = parameter.parts.prefix { $0 != parameter.parts.last }.joined(separator: "/")
      #expect(seen.insert("\(owner) \(key)").inserted, "\(parameter.address)")
    }
    #expect(seen.contains("session/<s> gain"))
  }

  @Test("Levels are in dB, and only levels and numbers move")
  func controls() {
    for parameter in Table.parameters {
      if case .level = parameter.kind { #expect(parameter.unit == "dB", "\(parameter.address)") }
      guard case .control = parameter.binding else { continue }
      switch parameter.kind {
      case .level, .number, .inheritable: break
      default: Issue.record("\(parameter.address) is \(parameter.kind) and moves")
      }
    }
  }

  @Test("A fresh state has a value at every address without an id, of the type of its kind")
  func kindsOfValues() {
    for parameter in Table.parameters where !parameter.address.contains("<") {
      guard let value = parameter.read(Moment(RouterState(), at: 0), Target()) else { continue }
      let fits =
        switch (parameter.kind, value) {
        case (.level, .number), (.number, .number), (.integer, .integer), (.toggle, .flag), (.text, .text),
          (.choice, .text), (.texts, .texts):
          true
        default: false
        }
      #expect(fits, "\(parameter.address) reads \(value)")
    }
  }
}
