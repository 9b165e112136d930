import ServerInterface
import SessionModel

/// Assigns the server's JACK ports of one direction to the known ports. Each JACK port belongs to at most one known port.
///
/// Ports of the preset choose first, in the preset's order; found ports get the rest. Exact names are assigned before names that
/// match only without the number that a server has added.
struct PortClaims {
  /// The full names of each known port's JACK ports, by channel; nil if a channel's JACK port is away.
  private(set) var members: [PortID: [String?]] = [:]
  /// The JACK ports that belong to a known port.
  private(set) var claimed: Set<String> = []
  /// The JACK ports that belong to a port of the preset.
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
      // The JACK ports of a data source that is not selected still belong to this port.
      for glob in port.otherGlobs { _ = take(for: port) { $0.fits(glob, of: port.node) } }
    }
    for port in claimants {
      for (index, glob) in port.memberGlobs.enumerated() where found[port.id]?[index].isEmpty == true {
        found[port.id]?[index] = take(for: port) { $0.fitsWithoutNumbers(glob, of: port.node) }
      }
      members[port.id] = zip(port.memberGlobs, found[port.id] ?? []).flatMap { glob, names -> [String?] in
        // A JACK port that is named without wildcard keeps its channel while it is away.
        names.isEmpty && !glob.isPattern ? [nil] : names
      }
    }
  }

  /// Assigns free JACK ports to a port and returns their names in channel order.
  private mutating func take(for port: Port, where fits: (Candidate) -> Bool) -> [String] {
    let names = candidates.filter { !claimed.contains($0.port.name) && fits($0) }.map(\.port.name)
    claimed.formUnion(names)
    if port.isNamedByPreset { claimedByPreset.formUnion(names) }
    return ChannelOrder.sorted(names) { $0 }
  }

  /// The physical device of a port's JACK ports (`Port.device`); nil if the server tells none.
  func device(of id: PortID) -> String? {
    guard let name = members[id]?.lazy.compactMap({ $0 }).first else { return nil }
    return candidates.first { $0.port.name == name }?.port.node?.device
  }

  /// The JACK ports with the names of a port that the preset does not name, as far as ports of the preset have them.
  func membersOfOthers(_ port: Port) -> [String] {
    guard !port.isNamedByPreset, !claimedByPreset.isEmpty else { return [] }
    let globs = port.globs + port.sources.flatMap(\.globs)
    var alike = candidates.filter { candidate in globs.contains { candidate.fits($0, of: port.node) } }
    if alike.isEmpty {
      alike = candidates.filter { candidate in
        globs.contains { candidate.fitsWithoutNumbers($0, of: port.node) }
      }
    }
    return alike.map(\.port.name).filter(claimedByPreset.contains).sorted()
  }

  /// Whether ports of the preset have all the JACK ports that could belong to a found port.
  func isSuperseded(_ port: Port, by named: [Port]) -> Bool {
    let possible = candidates.filter { candidate in
      port.globs.contains {
        candidate.fits($0, of: port.node) || candidate.fitsWithoutNumbers($0, of: port.node)
      }
    }
    if !possible.isEmpty { return possible.allSatisfy { claimedByPreset.contains($0.port.name) } }
    return port.globs.allSatisfy { glob in
      named.contains { other in
        other.memberGlobs.contains { $0.matches(glob.literal ?? glob.text) }
          && (other.node.flatMap { node in port.node.map { node.matches($0.literal ?? $0.text) } } ?? true)
      }
    }
  }
}

/// A JACK port of the server, with its name without the numbers that servers add.
private struct Candidate {
  let port: SystemPort
  let plainName: String

  init(_ port: SystemPort) { (self.port, plainName) = (port, port.plainName) }

  /// Whether the name matches. Within a node names are unique without numbers, so numbers that a server added do not count.
  func fits(_ glob: PortGlob, of node: PortGlob?) -> Bool {
    guard belongs(to: node) else { return false }
    return glob.accepts(port) || (node != nil && port.node != nil && fitsWithoutNumbers(glob, of: node))
  }

  func fitsWithoutNumbers(_ glob: PortGlob, of node: PortGlob?) -> Bool {
    guard belongs(to: node), !port.isMonitor || glob.namesMonitors else { return false }
    // The preset may contain a number that the server has changed since.
    return glob.matches(plainName) || (glob.literal.map(port.isNamed) ?? false)
  }

  /// Whether the port belongs to a node. At a server without nodes every port does.
  private func belongs(to node: PortGlob?) -> Bool {
    guard let node else { return true }
    return switch port.origin {
    case .unknown: true
    // The port could belong to an identical card, so an entry with a node waits for its node.
    case .awaited, .overdue, .absent: false
    case .node(let own): node.matches(own.name)
    }
  }
}

extension Port {
  /// The globs of the data sources that are not selected.
  fileprivate var otherGlobs: [PortGlob] {
    let inForce = memberGlobs
    return (globs + sources.flatMap(\.globs)).filter { !inForce.contains($0) }
  }
}

extension PortGlob {
  /// Whether the glob means a port.
  func accepts(_ port: SystemPort) -> Bool { accepts(port.name, aliases: port.aliases) }
}
