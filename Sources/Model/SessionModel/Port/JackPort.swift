/// A JACK port of another program or of a device, as the audio server shows it.
public struct JackPort: Hashable, Sendable {
  /// Full name, `client:port`.
  public var name: String
  public var aliases: [String]
  /// Whether sound goes into the port.
  public var isInput: Bool
  /// The names of its program; nil while they are not known.
  public var program: ProgramNames?

  public init(_ name: String, aliases: [String] = [], isInput: Bool, program: ProgramNames? = nil) {
    (self.name, self.aliases, self.isInput, self.program) = (name, aliases, isInput, program)
  }

  /// The client's name: the part before the first colon.
  public var client: String { String(name.prefix { $0 != ":" }) }

  /// The part of the name after the client's.
  var short: String { String(name.dropFirst(client.count + 1)) }
}

/// Lets a program that runs a second time stand in for one that has quit.
///
/// Servers add a dash and a number to the client name of a second instance: the second `mpv` is `mpv-01` under jackd, and stays `mpv-01`
/// when the first one quits.
public struct StandIns: Sendable {
  private let clients: Set<String>
  /// Clients that a preset or route names in full; they stand in for no other.
  private let named: Set<String>

  /// - Parameters:
  ///   - clients: the names of all clients at the server.
  ///   - globs: all globs in use.
  public init(clients: Set<String>, globs: [PortGlob]) {
    (self.clients, named) = (clients, Set(globs.compactMap(\.client)))
  }

  /// The glob for the program that is there: if the client of the glob is absent, that of the only client with the same name and a
  /// number.
  public func glob(_ glob: PortGlob) -> PortGlob {
    guard let client = glob.client, !clients.contains(client) else { return glob }
    let candidates = clients.filter { !named.contains($0) && Self.isInstance($0, of: client) }
    guard candidates.count == 1, let candidate = candidates.first else { return glob }
    return PortGlob(PortGlob.quoted(candidate) + glob.text.dropFirst(PortGlob.quoted(client).count)) ?? glob
  }

  /// The entry for the programs that are there.
  public func entry(_ entry: ProgramPorts) -> ProgramPorts {
    var entry = entry
    entry.ports = entry.ports.map(glob)
    return entry
  }

  private static func isInstance(_ name: String, of client: String) -> Bool {
    guard name.hasPrefix(client + "-") else { return false }
    let number = name.dropFirst(client.count + 1)
    return !number.isEmpty && number.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

extension PortGlob {
  /// The client's name, if the glob names one client without a wildcard: the part before the first colon.
  public var client: String? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    return PortGlob(String(text[..<colon]))?.literal
  }
}

extension RouterState {
  /// The programs that stand in for absent ones that streams and captures name.
  public func standIns(among clients: Set<String>) -> StandIns {
    var globs: [PortGlob] = []
    for session in sessions.values {
      globs += session.capture.destinations.compactMap(\.ports)
      for stream in session.streams.values {
        for case .ports(let entry) in stream.sources { if let glob = entry.ports { globs.append(glob) } }
      }
    }
    return StandIns(clients: clients, globs: globs)
  }
}

/// A name or pattern in a preset or route that matches no JACK port.
public struct UnmatchedGlob: Equatable, Sendable {
  public var text: String
  /// The port that was probably meant; nil if there is no port of this direction.
  public var nearest: String?

  /// Nil if the entry matches one of the ports, or if that is not known because the server has not told the names of all programs.
  public init?(_ entry: ProgramPorts, among ports: [JackPort], areInputs: Bool) {
    let candidates = ports.filter { $0.isInput == areInputs }
    if !entry.names.isEmpty {
      guard candidates.allSatisfy({ $0.program != nil }) else { return nil }
    }
    let accepted = candidates.filter { entry.accepts($0.program) }
    guard let glob = entry.ports else {
      guard accepted.isEmpty else { return nil }
      (text, nearest) = (entry.text, nil)
      return
    }
    guard let missing = UnmatchedGlob(glob, among: accepted, areInputs: areInputs) else { return nil }
    text = entry.text
    nearest = missing.nearest ?? Self.nearest(to: glob, among: candidates)
  }

  /// Nil if the glob matches one of the ports.
  /// - Parameters:
  ///   - ports: the ports that exist.
  ///   - areInputs: whether the glob is for ports that sound goes into.
  public init?(_ glob: PortGlob, among ports: [JackPort], areInputs: Bool) {
    let candidates = ports.filter { $0.isInput == areInputs }
    guard !candidates.contains(where: { glob.matches($0.name) || $0.aliases.contains(where: glob.matches) })
    else { return nil }
    (text, nearest) = (glob.text, Self.nearest(to: glob, among: candidates))
  }

  /// `nothing matches Bund:*; the nearest port is Band:out_1`
  public var sentence: String {
    "nothing matches \(text); " + (nearest.map { "the nearest port is \($0)" } ?? "there is no such port")
  }

  /// The port whose name differs least from a glob. The client's name comes first: a port of the right client with another name is
  /// nearer than a port of another client.
  private static func nearest(to glob: PortGlob, among ports: [JackPort]) -> String? {
    let colon = glob.text.firstIndex(of: ":")
    let client = letters(glob.text[..<(colon ?? glob.text.endIndex)])
    let short = letters(colon.map { glob.text[glob.text.index(after: $0)...] } ?? "")
    var distances: [String: Int] = [:]
    for port in ports where distances[port.client] == nil {
      distances[port.client] = distance(client, letters(port.client[...]))
    }
    return ports.min { left, right in
      let (a, b) = (distances[left.client] ?? .max, distances[right.client] ?? .max)
      if a != b { return a < b }
      let (c, d) = (distance(short, letters(left.short[...])), distance(short, letters(right.short[...])))
      return c != d ? c < d : PortGlob.inChannelOrder(left.name, right.name)
    }?.name
  }

  /// The letters that count for a comparison: small ones, without wildcards.
  private static func letters(_ text: Substring) -> [UInt8] {
    Array(text.lowercased().utf8.prefix(NearestName.longestName)).filter {
      $0 != UInt8(ascii: "*") && $0 != UInt8(ascii: "?")
    }
  }

  /// A name that contains the other one differs only in what a wildcard would match.
  private static func distance(_ wanted: [UInt8], _ name: [UInt8]) -> Int {
    let whole = 2 * NearestName.distance(wanted, name)
    return !wanted.isEmpty && name.starts(with: wanted) ? min(whole, 1) : whole
  }
}

extension RouterState {
  /// A glob that matches nothing, with the port or stream that has it.
  public struct Unmatched: Equatable, Sendable {
    /// The port, stream or capture, such as `output usb`, `show.band` or `capture of show`.
    public var owner: String
    /// The OSC address of the port, or of the list that has the glob.
    public var address: String
    public var glob: UnmatchedGlob
  }

  /// The globs of ports, streams and captures that match no JACK port, in the order of the state.
  public var unmatched: [Unmatched] {
    var found: [Unmatched] = []
    func note(_ owner: String, _ address: String, _ missing: [UnmatchedGlob?]) {
      found += missing.compactMap { $0.map { Unmatched(owner: owner, address: address, glob: $0) } }
    }
    for direction in [Direction.output, .input] {
      // A port with a part of its JACK ports has lost the others; its glob may be right. A bridge makes its ports itself.
      for port in self[direction].values where port.isNamedByPreset && !port.isPresent && port.bridge == nil {
        note(
          "\(direction.rawValue) \(port.id)", "/\(direction.rawValue)/\(port.id)",
          port.memberGlobs.map { UnmatchedGlob($0, among: jackPorts, areInputs: direction == .output) })
      }
    }
    let standIns = standIns(among: Set(jackPorts.map(\.client)))
    for session in sessions.values {
      for stream in session.streams.values {
        let entries = stream.sources.compactMap { source -> ProgramPorts? in
          if case .ports(let entry) = source { standIns.entry(entry) } else { nil }
        }
        note(
          "\(session.id).\(stream.id)", "/session/\(session.id)/stream/\(stream.id)/from",
          entries.map { UnmatchedGlob($0, among: jackPorts, areInputs: false) })
      }
      note(
        "capture of \(session.id)", "/session/\(session.id)/capture/to",
        session.capture.destinations.map {
          UnmatchedGlob(standIns.entry($0), among: jackPorts, areInputs: true)
        })
    }
    return found
  }
}
