/// The channels that the ports of programs belong to, for one stream or one capture.
///
/// The ports that all entries match are grouped by program, in the order of the entries and within an entry by name. The k-th port of a program belongs to channel k. The only port
/// of a program feeds all channels of a stream; the only channel of a capture feeds all ports. Ports of entries with a channel belong to that channel.
/// A surround program is folded down into a stereo stream.
public struct ChannelPlan: Sendable {
  /// The channels, from 1, with their ports. Those behind the stream's own are the further ports of `FoldDown`.
  public private(set) var pairs: [(channel: Int, port: String)] = []
  /// All ports that the entries match.
  public private(set) var ports: [String] = []
  /// The channels and ports that have no counterpart.
  public private(set) var gaps = ChannelGaps()
  /// The pairs and ports as sets, for speed: a pattern may match a thousand ports.
  private var (knownPairs, knownPorts) = (Set<Pair>(), Set<String>())

  private struct Pair: Hashable {
    var channel: Int
    var port: String
  }

  /// Whose channels the ports belong to.
  public enum Owner: Sendable { case stream, capture }

  /// A port of a program.
  public struct Candidate: Sendable {
    public var port: String
    /// Ports with the same text belong to one program. Nil while the server has not told which of several programs it is; until then the
    /// port has no channel but the one that its entry gives.
    public var program: String?
    public init(_ port: String, of program: String?) { (self.port, self.program) = (port, program) }
  }

  /// - Parameters:
  ///   - channels: the number of channels.
  ///   - isIncomplete: whether the program of its only port may be about to register more.
  ///   - matches: the ports of an entry, in the order in which the server made them.
  public init(
    _ entries: [ProgramPorts], channels: Int, of owner: Owner,
    isIncomplete: (String) -> Bool = { _ in false },
    matches: (ProgramPorts) -> [Candidate]
  ) {
    var programs = Registry<String, [String]>()
    for entry in entries {
      for candidate in ChannelOrder.sorted(matches(entry), by: \.port) {
        if let channel = entry.channel {
          add(candidate.port, to: channel, of: channels)
        } else if let program = candidate.program {
          if programs[program]?.contains(candidate.port) != true {
            programs[program, default: []].append(candidate.port)
          }
        } else {
          note(candidate.port)
        }
      }
    }
    for group in programs.values {
      if group.count == 1, channels > 1, isIncomplete(group[0]) {
        note(group[0])
      } else if owner == .stream, channels == FoldDown.width, FoldDown.applies(to: group) {
        gaps.isFolded = true
        for port in group { fold(port) }
      } else if owner == .stream ? group.count == 1 : channels == 1 {
        for port in group { for channel in 1...max(1, channels) { add(port, to: channel, of: channels) } }
      } else {
        for (index, port) in group.enumerated() { add(port, to: index + 1, of: channels) }
      }
    }
    noteGaps(channels)
  }

  private mutating func note(_ port: String) { if knownPorts.insert(port).inserted { ports.append(port) } }

  private mutating func add(_ port: String, to channel: Int, of channels: Int) {
    note(port)
    guard channel <= channels, knownPairs.insert(Pair(channel: channel, port: port)).inserted else { return }
    pairs.append((channel, port))
  }

  private mutating func fold(_ port: String) {
    note(port)
    if let channel = Loudspeaker(ofPort: port).flatMap(FoldDown.channel) {
      add(port, to: channel, of: FoldDown.furtherChannels.upperBound)
    }
  }

  private mutating func noteGaps(_ channels: Int) {
    guard !ports.isEmpty, channels > 0 else { return }
    let (used, taken) = (Set(pairs.map(\.channel)), Set(pairs.map(\.port)))
    gaps.channels = (1...channels).filter { !used.contains($0) }
    gaps.ports = ports.filter { !taken.contains($0) }
  }
}

/// Channels of a stream or capture without a port of the connected programs, and ports without a channel.
public struct ChannelGaps: Equatable, Sendable {
  /// Whether a surround program is folded down into the stream, or was: its further ports stay.
  public var isFolded = false
  /// From 1, in ascending order.
  public var channels: [Int] = []
  public var ports: [String] = []
  public init(channels: [Int] = [], ports: [String] = [], isFolded: Bool = false) {
    (self.channels, self.ports, self.isFolded) = (channels, ports, isFolded)
  }

  /// The gaps for the operator: `nothing feeds channel 2 of band`, `no channel of band takes mpv:out_3`.
  /// - Parameter name: the stream's name; nil for a capture.
  public func sentences(ofStream name: String?) -> [String] {
    var sentences: [String] = []
    if isFolded, let name { sentences.append("\(name) folds surround down to stereo (ITU-R BS.775)") }
    guard !channels.isEmpty || !ports.isEmpty else { return sentences }
    let list = channels.map { "\($0)" }.joined(separator: ", ")
    let (which, names) = (
      "\(channels.count == 1 ? "channel" : "channels") \(list)", ports.joined(separator: ", ")
    )
    if let name {
      if !channels.isEmpty { sentences.append("nothing feeds \(which) of \(name)") }
      if !ports.isEmpty { sentences.append("no channel of \(name) takes \(names)") }
    } else {
      if !channels.isEmpty {
        sentences.append("\(which) of the capture \(channels.count == 1 ? "feeds" : "feed") nothing")
      }
      if !ports.isEmpty { sentences.append("no channel of the capture feeds \(names)") }
    }
    return sentences
  }
}
