import LineEditing
import OSC

/// Completes the lines of the console from what the running router has.
struct Completer {
  let options: ClientOptions

  /// The completion of the last word before the cursor.
  func completion(of before: String) -> Completion {
    guard let words = try? LineWord.words(of: before[...]), !before.contains("\"") else {
      return Completion()
    }
    var (done, word) = (words.map(\.text), "")
    if let last = before.last, !last.isWhitespace { word = done.popLast() ?? "" }
    if let first = done.first.flatMap(ConsoleLine.Word.init) {
      guard first.takesAddress else { return Completion() }
      done.removeFirst()
      // Behind the address of any but `send` nothing follows.
      guard done.isEmpty || first == .send else { return Completion() }
    } else if done.isEmpty, !word.hasPrefix("/") {
      let words = ConsoleLine.Word.allCases.map(\.rawValue)
      return Completion(word, among: word.isEmpty ? words + ["/"] : words)
    }
    let isAddress = done.isEmpty || word.hasPrefix("/")
    // Without a router there is nothing to choose from; the prompt says by itself that it is gone.
    return (try? isAddress ? address(word) : value(of: done[0], word, number: done.count)) ?? Completion()
  }

  private func address(_ word: String) throws(CommandFailure) -> Completion {
    guard !word.isEmpty else { return Completion(insertion: "/") }
    guard word.hasPrefix("/"), let slash = word.lastIndex(of: "/") else { return Completion() }
    var link = try RouterLink(options)
    let parent = slash == word.startIndex ? "/" : String(word[..<slash])
    let names = try link.request(OSCMessage("/system/list", .string(parent))).flatMap {
      $0.arguments.dropFirst().map(\.plain)
    }
    let start = String(word[...slash])
    var completion = Completion(String(word[slash...].dropFirst()), among: names) { name in
      // An address that has a value is complete, even if there are further ones below it.
      (try? AddressHelp(start + name, &link)) == nil ? "/" : " "
    }
    completion.choices.sort()
    return completion
  }

  private func value(of address: String, _ word: String, number: Int) throws(CommandFailure) -> Completion {
    var link = try RouterLink(options)
    let help = try AddressHelp(address, &link)
    var completion = number == 1 ? Completion(word, among: help.values) : Completion()
    if completion.insertion.isEmpty { completion.note = help.line }
    return completion
  }
}
