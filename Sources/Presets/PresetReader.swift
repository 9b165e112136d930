public import SessionModel

/// Reads presets strictly: all problems at once, each with its place, and nothing half.
public struct PresetReader: Sendable {
  /// The law of sessions, at a time in seconds; a preset is right if it accepts everything that the preset leads to.
  public typealias Policy =
    @Sendable (inout RouterState, Event, Double) throws(SessionError) -> [Notification]
  /// Finds the preset that another one extends.
  public typealias Library = (PresetID) throws(PresetLibraryError) -> PresetSource

  let policy: Policy

  public init(policy: @escaping Policy) { self.policy = policy }

  /// Reads a preset and all that it extends.
  ///
  /// There is a preset unless a problem is an error; warnings may stand beside it. Problems are sorted by file and position.
  /// - Parameter extending: finds the presets it extends; what that throws becomes a problem of the key `extends`.
  public func read(_ source: PresetSource, extending: Library) -> (preset: Preset?, problems: [Problem]) {
    var reading = Reading()
    let document = reading.document(of: source, within: [], extending)
    if let document, reading.isWhole {
      var check = PresetCheck(document: document, policy: policy)
      check.run()
      if !(reading.problems + check.problems).contains(where: { $0.severity == .error }) {
        check.checkInterruptions()
      }
      reading.problems += check.problems
    }
    let problems = Array(Set(reading.problems).sorted().prefix(JSON5Reader.problemLimit))
    guard let document, !problems.contains(where: { $0.severity == .error }) else { return (nil, problems) }
    return (Preset(id: source.id, document: document), problems)
  }
}

/// What is known while a chain of presets is read.
private struct Reading {
  var problems: [Problem] = []
  /// Whether every file of the chain could be read; if not, what seems to be missing may be there.
  var isWhole = true

  /// The document of a source with what it extends, or nil when its structure is not certain.
  mutating func document(
    of source: PresetSource, within chain: [PresetID], _ extending: PresetReader.Library
  ) -> PresetDocument? {
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
    return base
  }

  private mutating func base(
    _ extends: Placed<PresetID>, within chain: [PresetID], _ extending: PresetReader.Library
  ) -> PresetDocument? {
    guard !chain.contains(extends.value) else {
      let circle = (chain + [extends.value]).map(\.name).joined(separator: " extends ")
      problems.append(extends.place.problem("\(circle), and so on for ever", fix: "break the circle"))
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
