public import JSON5
public import SessionModel

/// Reads presets strictly: reports all problems at once, each with its place, and never returns a part of a
/// preset.
public struct PresetReader: Sendable {
  /// The law of sessions, at a time in seconds. A preset is valid if the law accepts all of its events.
  public typealias Policy =
    @Sendable (inout RouterState, Event, Double) throws(SessionError) -> [Notification]
  /// Finds an extended preset by its id.
  public typealias Library = (PresetID) throws(PresetLibraryError) -> PresetSource

  let policy: Policy

  public init(policy: @escaping Policy) { self.policy = policy }

  /// Reads a preset and all presets that it extends.
  ///
  /// Returns a preset unless a problem is an error; there may be warnings. Problems are sorted by file and
  /// position.
  /// - Parameter extending: finds the presets that it extends. An error that it throws becomes a problem of
  ///   the key `extends`.
  public func read(_ source: PresetSource, extending: Library) -> (preset: Preset?, problems: [Problem]) {
    var reading = Reading()
    var document = reading.document(of: source, within: [], extending)
    if reading.isWhole { reading.problems += document?.useChains() ?? [] }
    if let document, reading.isWhole {
      var check = PresetCheck(document: document, policy: policy)
      check.run()
      // The law refuses some settings of a kept state as new requests. A restart leaves those out.
      if document.kept != nil {
        for index in check.problems.indices { check.problems[index].severity = .warning }
      }
      if document.kept == nil, !(reading.problems + check.problems).contains(where: { $0.severity == .error })
      {
        check.checkInterruptions()
        check.checkSpeakers()
      }
      reading.problems += check.problems
    }
    let problems = Array(Set(reading.problems).sorted().prefix(JSON5Reader.problemLimit))
    guard var document, !problems.contains(where: { $0.severity == .error }) else { return (nil, problems) }
    document.makeSteps()
    let preset = Preset(
      id: source.id, file: source.file, hash: reading.hash, document: document,
      fresh: document.freshState(policy))
    return (preset, problems)
  }
}

/// The state of reading a chain of presets.
private struct Reading {
  var problems: [Problem] = []
  /// Whether every file of the chain could be read. If not, a part that seems to be missing may be in an
  /// unread file.
  var isWhole = true
  /// The hash of all files in the chain.
  var hash = ContentHash()

  /// The document of a source with everything that it extends; nil if its structure is uncertain.
  mutating func document(
    of source: PresetSource, within chain: [PresetID], _ extending: PresetReader.Library
  ) -> PresetDocument? {
    hash.add(source.bytes)
    let (root, syntax) = JSON5Reader.read(source.bytes, file: source.file)
    let log = ProblemLog(file: source.file, problems: syntax)
    let document = root.map { DocumentReader.document(ValueReader($0, log: log)) }
    problems += log.problems
    guard let document else {
      isWhole = false
      return nil
    }
    guard let extends = document.extends else { return document }
    guard var base = base(extends, within: chain + [source.id], extending) else {
      isWhole = false
      return document
    }
    base.extend(by: document)
    base.extends = extends
    return base
  }

  private mutating func base(
    _ extends: Placed<PresetID>, within chain: [PresetID], _ extending: PresetReader.Library
  ) -> PresetDocument? {
    guard !chain.contains(extends.value) else {
      let circle = (chain + [extends.value]).map(\.name).joined(separator: " extends ")
      problems.append(
        extends.place.problem(
          "\(extends.value.name.quoted) extends itself in a loop: \(circle)", fix: "remove one \"extends\""))
      return nil
    }
    do throws(PresetLibraryError) {
      return document(of: try extending(extends.value), within: chain, extending)
    } catch {
      problems.append(extends.place.problem(error.what, fix: error.fix))
      return nil
    }
  }
}
