/// A JACK port of another program or of a device, as the audio server shows it.
public struct JackPort: Hashable, Sendable {
  /// Full name, `client:port`.
  public var name: String
  public var aliases: [String]
  /// Whether sound goes into the port.
  public var isInput: Bool

  public init(_ name: String, aliases: [String] = [], isInput: Bool) {
    (self.name, self.aliases, self.isInput) = (name, aliases, isInput)
  }

  /// The client's name: the part before the first colon.
  public var client: String { String(name.prefix { $0 != ":" }) }

  /// The part of the name after the client's.
  var short: String { String(name.dropFirst(client.count + 1)) }
}

/// A name or pattern in a preset or route that matches no JACK port.
public struct UnmatchedGlob: Equatable, Sendable {
  public var glob: PortGlob
  /// The port that was probably meant; nil if there is no port of this direction.
  public var nearest: String?

  /// Nil if the glob matches one of the ports.
  /// - Parameters:
  ///   - ports: the ports that exist.
  ///   - areInputs: whether the glob is for ports that sound goes into.
  public init?(_ glob: PortGlob, among ports: [JackPort], areInputs: Bool) {
    let candidates = ports.filter { $0.isInput == areInputs }
    guard !candidates.contains(where: { glob.matches($0.name) || $0.aliases.contains(where: glob.matches) })
    else { return nil }
    (self.glob, nearest) = (glob, Self.nearest(to: glob, among: candidates))
  }

  /// `nothing matches Bund:*; the nearest port is Band:out_1`
  public var sentence: String {
    "nothing matches \(glob); " + (nearest.map { "the nearest port is \($0)" } ?? "there is no such port")
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
    public var glob: UnmatchedGlob
  }

  /// The globs of ports, streams and captures that match no JACK port, in the order of the state.
  public var unmatched: [Unmatched] {
    var found: [Unmatched] = []
    func note(_ owner: String, _ globs: [PortGlob], areInputs: Bool) {
      for glob in globs {
        guard let missing = UnmatchedGlob(glob, among: jackPorts, areInputs: areInputs) else { continue }
        found.append(Unmatched(owner: owner, glob: missing))
      }
    }
    for direction in [Direction.output, .input] {
      // A port with a part of its JACK ports has lost the others; its glob may be right. A bridge makes its ports itself.
      for port in self[direction].values where port.isNamedByPreset && !port.isPresent && port.bridge == nil {
        note("\(direction.rawValue) \(port.id)", port.memberGlobs, areInputs: direction == .output)
      }
    }
    for session in sessions.values {
      for stream in session.streams.values {
        let globs = stream.sources.compactMap { source -> PortGlob? in
          if case .ports(let glob) = source { glob } else { nil }
        }
        note("\(session.id).\(stream.id)", globs, areInputs: false)
      }
      note("capture of \(session.id)", session.capture.destinations, areInputs: true)
    }
    return found
  }
}
