import OSC

/// What a recall or a command would change, as a table for people: first what is heard.
struct PreviewTable {
  private let rows: [Row]
  /// What is printed if nothing would change.
  private let emptiness: String

  private struct Row {
    let address: String
    let now: String
    let then: String
    let effect: String
    /// Whether the row is the sentence of a session.
    var isSound: Bool { address.hasPrefix("/session/") && address.hasSuffix("/why") }
  }

  /// - Parameter answers: the answers to `/preset/<id>/preview` or `/what/if`.
  init(_ answers: [OSCMessage], ifEmpty emptiness: String) {
    self.emptiness = emptiness
    rows = answers.compactMap { answer in
      let words = answer.arguments.dropFirst(2).map(\.plain)
      return words.count == 4
        ? Row(address: words[0], now: words[1], then: words[2], effect: words[3]) : nil
    }
  }

  func print(to console: Console) {
    guard !rows.isEmpty else {
      return console.print(emptiness)
    }
    let heard = rows.filter { $0.isSound && !$0.effect.isEmpty }
    if !heard.isEmpty {
      var table = TextTable([("SESSION", .left), ("EFFECT", .left)])
      for row in heard {
        let session = row.address.split(separator: "/").dropFirst().first ?? ""
        table.append([.init(String(session), .bold), .init(row.effect)])
      }
      print(table, to: console)
    }
    // The sentence of a session that is not heard otherwise says less than its settings, if any are different.
    let others = rows.filter { !$0.isSound }
    let settings = heard.isEmpty && others.isEmpty ? rows : others
    guard !settings.isEmpty else { return }
    var table = TextTable([("ADDRESS", .left), ("NOW", .left), ("THEN", .left), ("EFFECT", .left)])
    for row in settings {
      table.append([.init(row.address), .init(row.now, .dim), .init(row.then, .bold), .init(row.effect)])
    }
    print(table, to: console)
  }

  private func print(_ table: TextTable, to console: Console) {
    for line in table.lines(console) { console.print(line) }
  }
}
