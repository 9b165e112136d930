/// A group of sessions, streams, captures, outputs and players with a common gain and mute: a DCA, a mute group, or the source switch of a
/// silent disco. Its members keep their own levels and mutes.
public struct SoundGroup: Equatable, Sendable {
  public let id: GroupID
  public var name: String
  public var color: Color?
  /// Its members, by name or pattern, each once. Members may come and go.
  public private(set) var members: [GroupPattern] = []
  /// The names among `members`, for a quick search.
  private var names: Set<String> = []
  /// The patterns among `members`.
  private var patterns: [GroupPattern] = []
  /// dB, added to each member's own gain.
  public var gain = Control(0)
  /// The group's highest gain, in dB.
  public var maximum = Decibels.highest
  public var isMuted = false
  /// Whether at most one member is open: to unmute one mutes the others.
  public var isExclusive = false

  public init(_ id: GroupID) { (self.id, name) = (id, id.name) }

  /// The greatest number of names and patterns in one group.
  public static let mostMembers = 1_000

  public mutating func setMembers(_ members: [GroupPattern]) {
    var seen: Set<String> = []
    self.members = members.filter { seen.insert($0.text).inserted }
    names = Set(self.members.filter { !$0.isPattern }.map(\.text))
    patterns = self.members.filter(\.isPattern)
  }

  public func contains(_ member: GroupMember) -> Bool { contains(member.text) }

  /// - Parameter member: the text of a `GroupMember`.
  func contains(_ member: String) -> Bool {
    names.contains(member) || patterns.contains { $0.matches(member) }
  }

  /// Whether the group silences its members by its mute, or by a gain that is off.
  public func silences(byGain: Bool) -> Bool { isMuted || byGain && Decibels(gain.target).isOff }

  /// Whether the group makes its members louder or quieter, and does not silence them.
  package var changesLevels: Bool { gain.target != 0 && !silences(byGain: true) }
}

/// Names a group.
public typealias GroupID = Identifier<SoundGroup>

/// Something that a group may have as a member. A group has no groups.
public enum GroupMember: Hashable, Sendable {
  case session(SessionID)
  case stream(SessionID, StreamID)
  /// The capture of a session.
  case capture(SessionID)
  case output(PortID)
  case player(PlayerID)

  /// The member as presets and addresses write it, such as `stream:show.band`.
  public var text: String {
    switch self {
    case .session(let id): "session:\(id.name)"
    case .stream(let session, let id): "stream:\(session.name).\(id.name)"
    case .capture(let id): "capture:\(id.name)"
    case .output(let id): "output:\(id.name)"
    case .player(let id): "player:\(id.name)"
    }
  }

  /// Reads the text of a member; nil for any other text.
  init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let name = parts[1].split(separator: ".").last else { return nil }
    switch parts[0] {
    case "session": if let id = SessionID(name) { self = .session(id) } else { return nil }
    case "capture": if let id = SessionID(name) { self = .capture(id) } else { return nil }
    case "output": if let id = PortID(name) { self = .output(id) } else { return nil }
    case "player": if let id = PlayerID(name) { self = .player(id) } else { return nil }
    case "stream":
      guard let session = SessionID(parts[1].prefix { $0 != "." }), let id = StreamID(name) else {
        return nil
      }
      self = .stream(session, id)
    default: return nil
    }
  }

  /// The strip that shows the member; nil for a capture, which has none.
  public var strip: StripTarget? {
    switch self {
    case .session(let id): .session(id)
    case .stream(let session, let id): .stream(session, id)
    case .capture: nil
    case .output(let id): .output(id)
    case .player(let id): .player(id)
    }
  }
}

/// A member of a group by name, or a pattern for several, such as `session:iem-*`. `*` stands for any text, `?` for one character.
public struct GroupPattern: Hashable, Sendable {
  public let text: String
  private let glob: PortGlob

  /// A regular expression for the whole text.
  public static let form = "(session|capture|output|player):\(name)|stream:\(name)[.]\(name)"
  private static let name = "[a-z0-9*?][a-z0-9_*?-]{0,31}"

  /// Reads `session:`, `stream:`, `capture:`, `output:` or `player:` with an id or a pattern; nil for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let glob = PortGlob(text) else { return nil }
    let names = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    guard names.allSatisfy({ SessionID.isSlug(String($0.map { "*?".contains($0) ? "x" : $0 })) }) else {
      return nil
    }
    switch parts[0] {
    case "stream": guard names.count == 2 else { return nil }
    case "session", "capture", "output", "player": guard names.count == 1 else { return nil }
    default: return nil
    }
    (self.text, self.glob) = (text, glob)
  }

  /// Whether the text has a wildcard, so that it may stand for several members.
  public var isPattern: Bool { text.contains("*") || text.contains("?") }

  /// Whether the text of a member matches. A wildcard stands for no part of the word before the colon, nor for the dot.
  func matches(_ member: String) -> Bool { glob.matches(member) }
}
