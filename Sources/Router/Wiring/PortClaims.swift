import SessionModel

/// Which of the server's ports belong to which known port, in one direction; each belongs to one at most.
///
/// What a preset names comes first, in its order; what was found has the rest. A name that fits as it stands comes before one that
/// fits without the number that a server added to it.
struct PortClaims {
  /// The full names of each known port's JACK ports, channel by channel; nil where a channel's port is away.
  private(set) var members: [PortID: [String?]] = [:]
  /// All that belong to somebody.
  private(set) var claimed: Set<String> = []
  /// What belongs to ports that a preset names.
  private(set) var claimedByPreset: Set<String> = []
  private let candidates: [Candidate]

  init(_ ports: Registry<PortID, Port>, _ direction: Direction, _ system: [SystemPort]) {
    candidates = system.filter { $0.isInput == (direction == .output) }.map(Candidate.init)
    let claimants = ports.values.filter(\.isNamedByPreset) + ports.values.filter { !$0.isNamedByPreset }
    var found: [PortID: [[String]]] = [:]
    for port in claimants {
      found[port.id] = port.memberGlobs.map { glob in
        take(for: port) { $0.fits(glob, of: port.node) }
      }
      // Data sources that are not in force are nobody else's.
      for glob in port.otherGlobs { _ = take(for: port) { $0.fits(glob, of: port.node) } }
    }
    for port in claimants {
      for (index, glob) in port.memberGlobs.enumerated() where found[port.id]?[index].isEmpty == true {
        found[port.id]?[index] = take(for: port) { $0.fitsWithoutNumbers(glob, of: port.node) }
      }
      members[port.id] = zip(port.memberGlobs, found[port.id] ?? []).flatMap { glob, names -> [String?] in
        // A name without wildcard keeps its channel while it is away.
        names.isEmpty && !glob.isPattern ? [nil] : names
      }
    }
  }

  /// Takes what nobody has taken, in the order of channels.
  private mutating func take(for port: Port, where fits: (Candidate) -> Bool) -> [String] {
    let names = candidates.filter { !claimed.contains($0.port.name) && fits($0) }.map(\.port.name)
    claimed.formUnion(names)
    if port.isNamedByPreset { claimedByPreset.formUnion(names) }
    return names.sorted(by: PortGlob.inChannelOrder)
  }

  /// Whether a preset's ports have everything that a found one could be made of.
  func isSuperseded(_ port: Port, by named: [Port]) -> Bool {
    let possible = candidates.filter { candidate in
      port.globs.contains {
        candidate.fits($0, of: port.node) || candidate.fitsWithoutNumbers($0, of: port.node)
      }
    }
    if !possible.isEmpty { return possible.allSatisfy { claimedByPreset.contains($0.port.name) } }
    return port.globs.allSatisfy { glob in
      named.contains { other in
        other.memberGlobs.contains { $0.matches(glob.text) }
          && (other.node.flatMap { node in port.node.map { node.matches($0.text) } } ?? true)
      }
    }
  }
}

/// A port of the server, with its name as it would be without a server's numbers.
private struct Candidate {
  let port: SystemPort
  let plainName: String

  init(_ port: SystemPort) { (self.port, plainName) = (port, port.plainName) }

  /// Within a node names are unique without numbers, whatever a server adds.
  func fits(_ glob: PortGlob, of node: PortGlob?) -> Bool {
    guard belongs(to: node) else { return false }
    return glob.accepts(port) || (node != nil && port.node != nil && fitsWithoutNumbers(glob, of: node))
  }

  func fitsWithoutNumbers(_ glob: PortGlob, of node: PortGlob?) -> Bool {
    guard belongs(to: node), !port.isMonitor || glob.namesMonitors else { return false }
    // A name may have been written with a number that has changed since.
    return glob.matches(plainName) || (!glob.isPattern && port.isNamed(glob.text))
  }

  /// A server without nodes does not look at them.
  private func belongs(to node: PortGlob?) -> Bool {
    guard let node else { return true }
    return switch port.origin {
    case .unknown: true
    case .awaited: false
    case .node(let own): node.matches(own.name)
    }
  }
}

extension Port {
  /// The JACK ports that could feed it and do not now.
  fileprivate var otherGlobs: [PortGlob] {
    let inForce = memberGlobs
    return (globs + sources.flatMap(\.globs)).filter { !inForce.contains($0) }
  }
}

extension PortGlob {
  /// Whether the glob means this port; monitors only where they are written out.
  func accepts(_ port: SystemPort) -> Bool {
    guard matches(port.name) || port.aliases.contains(where: matches) else { return false }
    return !port.isMonitor || namesMonitors
  }

  fileprivate var namesMonitors: Bool { text.contains("monitor") }
}
