public import SessionModel

extension Table {
  /// The command words of addresses in the place of an id, such as `list` in `/output/list`. No id may be one
  /// of them.
  ///
  /// - Parameter template: the address before the id, such as `/session/<s>/stream`.
  public static func reservedNames(below template: String) -> Set<String> { reserved[template] ?? [] }

  private static let reserved: [String: Set<String>] = {
    var words: [String: Set<String>] = [:]
    for parameter in parameters {
      let parts = parameter.parts
      for (index, part) in parts.enumerated() where Placeholder(rawValue: String(part)) == nil {
        words["/" + parts[..<index].joined(separator: "/"), default: []].insert(String(part))
      }
    }
    return words
  }()

  /// Checks the id of an object that an event would make.
  /// - Throws: `SessionError` badValue for an id that is a command's name, since no address could reach the
  ///   object.
  public static func checkName(of event: Event) throws(SessionError) {
    switch event {
    case .createSession(let id, _): try check(id.name, below: "/session")
    case .createStream(_, let id, _, _): try check(id.name, below: "/session/<s>/stream")
    case .player(let id, .create): try check(id.name, below: "/player")
    case .recorder(let id, .create): try check(id.name, below: "/recorder")
    case .group(let id, .create): try check(id.name, below: "/group")
    case .beginInterruption(let id, _), .ring(let id, _): try check(id.name, below: "/interruption")
    case .declarePort(let direction, let port): try check(port.id.name, below: "/\(direction.rawValue)")
    default: break
    }
  }

  private static func check(_ name: String, below template: String) throws(SessionError) {
    guard reservedNames(below: template).contains(name) else { return }
    throw SessionError(.badValue, "\(name) is a command's name; choose another id")
  }
}
