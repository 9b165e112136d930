import JSON5
import Numbers
import Parameters
import SessionModel

/// Finds mistakes in a whole document, although each of its values could be read.
struct PresetCheck {
  let document: PresetDocument
  let policy: PresetReader.Policy
  var problems: [Problem] = []
  /// The state of an empty router after the document.
  var rehearsed = RouterState()

  init(document: PresetDocument, policy: @escaping PresetReader.Policy) {
    (self.document, self.policy) = (document, policy)
  }

  /// Makes all checks; the order of problems is not defined.
  mutating func run() {
    checkPorts()
    checkSessions()
    checkLoops()
    checkMedia()
    rehearse()
    checkStrips()
    checkGroups()
  }

  mutating func report(
    _ place: Place, _ what: String, fix: String, severity: Problem.Severity = .error,
    aspect: Problem.Aspect = .meaning
  ) {
    problems.append(place.problem(what, fix: fix, severity: severity, aspect: aspect))
  }

  /// Reports a required key that is missing.
  mutating func reportMissing(_ key: String, in place: Place, example: String) {
    let place = Place(file: place.file, position: place.position, path: place.path.appending(.key(key)))
    report(
      place, "\(key.quoted) is missing", fix: "add it, for instance \(key.quoted): \(example)",
      aspect: aspectOfMissing)
  }

  /// What a missing part is: of a document that extends another one, the other one may have it.
  var aspectOfMissing: Problem.Aspect { document.extendsOther ? .meaning : .shape }

  /// Reports a level above the maximum for surfaces: it would drop at the first touch of a fader.
  mutating func checkMaximum(_ leaves: [Leaf]) {
    guard let gain = leaves["gain"], case .number(let level) = gain.value,
      case .number(let maximum)? = leaves["max"]?.value, level > maximum
    else { return }
    report(
      gain.place, "\(Decibels.text(level)) is above the maximum of \(Decibels.text(maximum))",
      fix: "lower it, or raise \"max\"")
  }

  private mutating func checkSessions() {
    for (_, session) in document.sessions {
      if session.category == nil, !session.isDamaged {
        reportMissing("category", in: session.place, example: "\"multiRoute\"")
      }
      checkMaximum(session.leaves)
      for (id, stream) in session.streams {
        guard let from = stream.leaves["from"] else { continue }
        for glob in from.globs { checkForeign(glob) }
        if from.inputs.isEmpty { checkChannels(from, stream.width, of: .stream, id.name) }
      }
      if let capture = session.capture, let to = capture.leaves["to"] {
        for glob in to.globs { checkForeign(glob) }
        checkChannels(to, capture.width, of: .capture, nil)
      }
    }
  }

  /// Warns of channels and ports without a counterpart, as far as a list tells without the programs: a pattern may match any number of ports.
  private mutating func checkChannels(
    _ leaf: Leaf, _ channels: Int, of owner: ChannelPlan.Owner, _ stream: String?
  ) {
    let entries = leaf.entries.map(\.value)
    guard entries.allSatisfy({ $0.channel != nil || $0.exactName != nil }) else { return }
    let plan = ChannelPlan(entries, channels: channels, of: owner) { entry in
      let name = entry.exactName?.literal ?? entry.text
      return [ChannelPlan.Candidate(name, of: entry.exactName?.client ?? name)]
    }
    for sentence in plan.gaps.sentences(ofStream: stream) {
      report(leaf.place, sentence, fix: "change the list or \"channels\"", severity: .warning)
    }
  }

  /// Reports a name without a client, and a glob that means the router's own ports: a glob never matches them, and a match would connect
  /// the router to itself.
  mutating func checkForeign(_ glob: Placed<PortGlob>) {
    let text = glob.value.text
    guard text.contains(":") || glob.value.isPattern else {
      let example = "\(text):*".quoted
      return report(
        glob.place, "\(text.quoted) is no JACK port: a name has a client and a port",
        fix: "write \(example) for all ports of a client, or copy a name from: multiroute ports")
    }
    guard glob.value.client == Self.ownClient else { return }
    report(
      glob.place, "\(glob.value.text.quoted) names the router's own ports, which would feed it with itself",
      fix: "name the ports of other programs; sessions reach each other through \"mix\"")
  }

  /// The name of the router's client, unless `run --name` sets another.
  private static let ownClient = "multiroute"
}

extension Leaf {
  /// The entries of JACK ports in a list with their places, without inputs of the router.
  var entries: [Placed<ProgramPorts>] {
    guard case .texts(let texts) = value else { return [] }
    return zip(texts, elements).compactMap { text, place in
      guard case .ports(let entry) = StreamSource(text) else { return nil }
      return Placed(value: entry, place: place)
    }
  }

  /// The names of JACK ports in these entries.
  var globs: [Placed<PortGlob>] {
    entries.compactMap { entry in entry.value.ports.map { Placed(value: $0, place: entry.place) } }
  }

  /// The inputs of the router in a list, with their places.
  var inputs: [Placed<PortID>] {
    guard case .texts(let texts) = value else { return [] }
    return zip(texts, elements).compactMap { text, place in
      guard case .input(let port, _) = StreamSource(text) else { return nil }
      return Placed(value: port, place: place)
    }
  }
}

extension ProgramPorts {
  /// The only port that the entry can match; nil for a pattern or a program.
  fileprivate var exactName: PortGlob? { ports.flatMap { names.isEmpty && !$0.isPattern ? $0 : nil } }
}

extension PortGlob {
  /// The part that a client's name must match.
  var client: String { String(text.prefix { $0 != ":" }) }
}
