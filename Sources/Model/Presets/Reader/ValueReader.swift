public import JSON5
import Numbers
public import SessionModel

/// A value of a document, with all that is necessary to report its problems.
///
/// Each reading method records a problem and returns nil for a bad value. So a document is always read to its
/// end.
public struct ValueReader {
  public let value: PositionedValue
  /// The value's path in its document.
  public let path: DocumentPath
  let log: ProblemLog

  /// Reads the root of a document.
  public init(_ root: PositionedValue, log: ProblemLog) {
    (value, path, self.log) = (root, DocumentPath(), log)
  }

  private init(_ value: PositionedValue, _ path: DocumentPath, _ log: ProblemLog) {
    (self.value, self.path, self.log) = (value, path, log)
  }

  func descend(to value: PositionedValue, by step: DocumentPath.Step) -> Self {
    Self(value, path.appending(step), log)
  }

  /// Records a problem with this value.
  public func report(
    _ what: String, fix: String, severity: Problem.Severity = .error, aspect: Problem.Aspect = .shape
  ) {
    log.report(at: value.position, path: path, what, fix: fix, severity: severity, aspect: aspect)
  }

  /// Records that the value is of the wrong kind, unless the parser has already reported it.
  func reportKind(wanted: String) {
    if case .unreadable = value.kind { return }
    report(value.kind.summary, fix: "write \(wanted)")
  }

  // MARK: Simple values

  /// A number; the limits of the range may be infinite.
  /// - Parameter word: a word that the caller accepts instead of a number, for the correction.
  public func number(_ range: ClosedRange<Double>, unit: String = "", orWord word: String? = nil) -> Double? {
    let wanted = "a number\(range.inWords(unit: unit))" + (word.map { " or \($0.quoted)" } ?? "")
    guard case .number(let number, _) = value.kind else {
      if case .string(let text) = value.kind, let meant = JSON5Reader.number(text), range.contains(meant) {
        report(value.kind.summary, fix: "write \(text) without quotes")
      } else {
        reportKind(wanted: wanted)
      }
      return nil
    }
    guard range.contains(number) else {
      let comparison =
        number < range.lowerBound
        ? "below \(range.lowerBound.shortText)" : "above \(range.upperBound.shortText)"
      report("\(number.shortText) is \(comparison)", fix: "write \(wanted)")
      return nil
    }
    return number
  }

  /// An integer, which may be written as `2.0`.
  public func integer(_ range: ClosedRange<Int>) -> Int? {
    let lowest = range.lowerBound == .min ? -.infinity : Double(range.lowerBound)
    let highest = range.upperBound == .max ? .infinity : Double(range.upperBound)
    let bounds = lowest...highest
    guard let number = number(bounds) else { return nil }
    guard let integer = Int(exactly: number) else {
      report("\(number.shortText) is not an integer", fix: "write an integer\(bounds.inWords(unit: ""))")
      return nil
    }
    return integer
  }

  /// A level in dB up to a maximum, or `"off"`. -90 and lower levels are off.
  public func level(upTo maximum: Double) -> Decibels? {
    if case .string("off") = value.kind { return .off }
    return number(-.infinity...maximum, unit: "dB").map { Decibels($0) }
  }

  /// `true` or `false`.
  public func bool() -> Bool? {
    guard case .bool(let bool) = value.kind else {
      reportKind(wanted: "true or false")
      return nil
    }
    return bool
  }

  /// Text of 1 to `limit` bytes of UTF-8 without control characters.
  /// - Parameter isASCII: whether the caller takes nothing but ASCII, whose bytes a schema counts, too.
  public func text(upTo limit: Int = longestText, inASCII isASCII: Bool = false) -> String? {
    guard case .string(let text) = value.kind else {
      reportKind(wanted: "text in quotes")
      return nil
    }
    if text.isEmpty {
      report("the text is empty", fix: "write something, or remove the key")
    } else if text.utf8.count > limit {
      // A schema counts characters.
      report(
        "the text has \(text.utf8.count) bytes", fix: "write at most \(limit)",
        aspect: isASCII || text.unicodeScalars.count > limit ? .shape : .meaning)
    } else if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      report("\(text.quoted) has control characters", fix: "write it without")
    } else {
      return text
    }
    return nil
  }

  /// The most bytes of a text of which nothing else is known.
  public static let longestText = 256

  /// The name of a session, stream, port or other object.
  public func identifier<Subject>(_: Subject.Type = Subject.self) -> Identifier<Subject>? {
    guard case .string(let text) = value.kind else {
      reportKind(wanted: "a name in quotes")
      return nil
    }
    return identifier(text, at: value.position)
  }

  private func identifier<Subject>(_ text: String, at position: SourcePosition) -> Identifier<Subject>? {
    if let identifier = Identifier<Subject>(text) { return identifier }
    log.report(
      at: position, path: path, "\(text.quoted) is not a valid name",
      fix: "write 1 to 32 of a-z, 0-9, - and _, such as \(Identifier<Subject>(slugging: text).name.quoted)")
    return nil
  }

  /// One of some names, spelled exactly.
  public func choice(_ names: [String], everydayWords: [String: String] = [:]) -> String? {
    guard case .string(let text) = value.kind else {
      reportKind(wanted: "one of \(names.map(\.quoted).joined(separator: ", "))")
      return nil
    }
    if names.contains(text) { return text }
    let near = everydayWords[text.lowercased()] ?? NearestName.suggestion(for: text, among: names)
    report(
      "unknown value \(text.quoted)",
      fix: near.map { "did you mean \($0.quoted)?" }
        ?? "write one of \(names.map(\.quoted).joined(separator: ", "))")
    return nil
  }

  /// A case of an enumeration, by its raw value.
  public func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _: Choice.Type = Choice.self, everydayWords: [String: Choice] = [:]
  ) -> Choice? {
    choice(Choice.allCases.map(\.rawValue), everydayWords: everydayWords.mapValues(\.rawValue))
      .flatMap { Choice(rawValue: $0) }
  }

  // MARK: Lists and objects

  /// The elements for which `read` returns a value.
  public func list<Element>(_ read: (ValueReader) -> Element?) -> [Element]? {
    guard case .array(let elements) = value.kind else {
      reportKind(wanted: "a list between [ and ]")
      return nil
    }
    return elements.enumerated().compactMap { read(descend(to: $1, by: .index($0))) }
  }

  /// An object with these keys. Any other key is a problem, also a key of a later version.
  public func object(_ keys: [String], later: [String] = []) -> ObjectReader? {
    let object = anyObject()
    object?.reportUnknown(keys, later: later)
    return object
  }

  /// The members of an object with any keys, in the file's order.
  public func members() -> [(key: String, value: ValueReader, keyPosition: SourcePosition)]? {
    anyObject()?.members.map { member in
      (member.key, descend(to: member.value, by: .key(member.key)), member.keyPosition)
    }
  }

  /// The members of an object whose keys are names. A key that is not a valid name is a problem.
  public func entries<Subject>(
    of _: Subject.Type = Subject.self
  ) -> [(id: Identifier<Subject>, value: ValueReader, keyPosition: SourcePosition)]? {
    members()?.compactMap { key, value, keyPosition in
      value.identifier(key, at: keyPosition).map { ($0, value, keyPosition) }
    }
  }

  /// An object with unchecked keys.
  func anyObject() -> ObjectReader? {
    guard case .object(let members) = value.kind else {
      reportKind(wanted: "an object between { and }")
      return nil
    }
    return ObjectReader(object: self, members: members)
  }
}

extension ClosedRange<Double> {
  /// For example ` from -90 to 10 dB`, ` up to 10`, ` from 0`; empty for all numbers.
  fileprivate func inWords(unit: String) -> String {
    let unit = unit.isEmpty ? "" : " \(unit)"
    return switch (lowerBound.isFinite, upperBound.isFinite) {
    case (true, true): " from \(lowerBound.shortText) to \(upperBound.shortText)\(unit)"
    case (true, false): " from \(lowerBound.shortText)\(unit) upwards"
    case (false, true): " up to \(upperBound.shortText)\(unit)"
    case (false, false): ""
    }
  }
}
