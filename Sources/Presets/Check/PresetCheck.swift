import Parameters
import SessionModel

/// Finds what is wrong with a whole document, though each of its values could be read.
struct PresetCheck {
  let document: PresetDocument
  let policy: PresetReader.Policy
  var problems: [Problem] = []
  /// What the document makes of an empty router.
  var rehearsed = RouterState()

  init(document: PresetDocument, policy: @escaping PresetReader.Policy) {
    (self.document, self.policy) = (document, policy)
  }

  /// Makes all checks; problems are in no order.
  mutating func run() {
    checkPorts()
    checkSessions()
    checkLoops()
    rehearse()
  }

  mutating func report(
    _ place: Place, _ what: String, fix: String, severity: Problem.Severity = .error
  ) {
    problems.append(place.problem(what, fix: fix, severity: severity))
  }

  /// Reports a key that an object must have.
  mutating func reportMissing(_ key: String, in place: Place, example: String) {
    let place = Place(file: place.file, position: place.position, path: place.path.appending(.key(key)))
    report(place, "\(key.quoted) is missing", fix: "add it, for instance \(key.quoted): \(example)")
  }

  /// A level above the most that surfaces may set would be a trap for the first who touches it.
  mutating func checkMaximum(_ leaves: [Leaf]) {
    guard let gain = leaves["gain"], case .number(let level) = gain.value,
      case .number(let maximum)? = leaves["max"]?.value, level > maximum
    else { return }
    report(
      gain.place, "\(level.plain) dB is above the maximum of \(maximum.plain) dB",
      fix: "lower it, or raise \"max\"")
  }

  private mutating func checkSessions() {
    for (_, session) in document.sessions {
      if session.category == nil, !session.isDamaged {
        reportMissing("category", in: session.place, example: "\"multiRoute\"")
      }
      checkMaximum(session.leaves)
      for (_, stream) in session.streams {
        for glob in stream.leaves["from"]?.globs ?? [] { checkForeign(glob) }
      }
      for glob in session.capture?.leaves["to"]?.globs ?? [] { checkForeign(glob) }
    }
  }

  /// A glob never matches the router's own ports; one that means them would connect the router to itself.
  mutating func checkForeign(_ glob: Placed<PortGlob>) {
    guard glob.value.client == Self.ownClient else { return }
    report(
      glob.place, "\(glob.value.text.quoted) names the router's own ports, which would feed it with itself",
      fix: "name the ports of other programs; sessions reach each other through \"mix\"")
  }

  /// The name of the router's client unless `run --name` gives it another.
  private static let ownClient = "multiroute"
}

extension Leaf {
  /// The JACK ports of a list, each with its place; inputs of the router are left out.
  var globs: [Placed<PortGlob>] {
    guard case .texts(let texts) = value else { return [] }
    return zip(texts, elements).compactMap { text, place in
      guard case .ports(let glob) = StreamSource(text) else { return nil }
      return Placed(value: glob, place: place)
    }
  }

  /// The inputs of the router in a list.
  var inputs: [Placed<PortID>] {
    guard case .texts(let texts) = value else { return [] }
    return zip(texts, elements).compactMap { text, place in
      guard case .input(let port, _) = StreamSource(text) else { return nil }
      return Placed(value: port, place: place)
    }
  }
}

extension PortGlob {
  /// The part that the name of a client must match.
  var client: String { String(text.prefix { $0 != ":" }) }
}
