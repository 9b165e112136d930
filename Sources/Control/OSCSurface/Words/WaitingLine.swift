import ControlInterface
import SessionModel

/// The packets that wait until the files that their words mean are found, and behind them the packets that are about the same players: a
/// `play` never overtakes a `queue/add`, whichever client sent it. All other packets go on. Belongs to the policy thread.
struct WaitingLine {
  private var entries: [Entry] = []
  private var bytes = 0
  private var lastNumber = 0

  private struct Entry {
    let number: Int
    var command: SurfaceCommand
    let subjects: PlayerSubjects
    var phase: Phase
  }

  private enum Phase: Equatable {
    /// Its words are looked up since this time.
    case searching(since: Double)
    /// It can be carried out as soon as no earlier packet stands before it.
    case ready
    /// Its turn is on its way, or carried out now.
    case submitted
  }

  /// The most packets that wait, and the most bytes.
  private static let (longest, largest) = (1_024, 4 << 20)
  /// Seconds that a lookup may take. A disk that hangs keeps a player's commands back no longer.
  static let patience = 5.0

  var isEmpty: Bool { entries.isEmpty }
  func hasPackets(of peer: Peer) -> Bool { entries.contains { $0.command.peer == peer } }
  var isFull: Bool { entries.count >= Self.longest || bytes >= Self.largest }

  /// Whether a packet has to wait behind others.
  func keepsBack(_ subjects: PlayerSubjects, of peer: Peer) -> Bool {
    var gate = Gate()
    for entry in entries { gate.close(behind: entry) }
    return gate.stops(subjects, of: peer)
  }

  /// Adds a packet that waits behind others.
  mutating func add(_ command: SurfaceCommand) { append(command, .ready) }

  /// Begins the lookup of a packet's words. A packet of the line keeps its place.
  ///
  /// - Parameter number: its number in the line; nil for a packet that comes anew.
  /// - Returns: its number.
  mutating func search(for command: SurfaceCommand, at time: Double, number: Int?) -> Int {
    guard let index = entries.firstIndex(where: { $0.number == number }) else {
      append(command, .searching(since: time))
      return lastNumber
    }
    (entries[index].command, entries[index].phase) = (command, .searching(since: time))
    return entries[index].number
  }

  private mutating func append(_ command: SurfaceCommand, _ phase: Phase) {
    lastNumber += 1
    bytes += command.packet.weight
    let subjects = PlayerSubjects(of: command.packet)
    entries.append(Entry(number: lastNumber, command: command, subjects: subjects, phase: phase))
  }

  /// Ends the lookup of a packet's words.
  mutating func found(_ number: Int, _ change: (inout SurfaceCommand) -> Void) {
    guard let index = entries.firstIndex(where: { $0.number == number }),
      case .searching = entries[index].phase
    else { return }
    change(&entries[index].command)
    entries[index].phase = .ready
  }

  /// Ends all lookups that have taken too long.
  mutating func expire(at time: Double, _ change: (inout SurfaceCommand) -> Void) {
    for index in entries.indices {
      guard case .searching(let start) = entries[index].phase, time >= start + Self.patience else { continue }
      change(&entries[index].command)
      entries[index].phase = .ready
    }
  }

  /// When `expire` must be called next, and `submit` again; nil if neither.
  func nextDue(at time: Double) -> Double? {
    let ends = entries.compactMap { entry -> Double? in
      if case .searching(let start) = entry.phase { start + Self.patience } else { nil }
    }
    return hasReady ? time : ends.min()
  }

  /// Whether a packet could be carried out whose turn found no room.
  private var hasReady: Bool {
    var gate = Gate()
    for entry in entries {
      if entry.phase == .ready, !gate.stops(entry) { return true }
      gate.close(behind: entry)
    }
    return false
  }

  /// Submits the packets that need no longer wait, in order.
  /// - Parameter send: submits the packet of a number; returns false if there is no room now.
  mutating func submit(_ send: (Int) -> Bool) {
    var gate = Gate()
    for index in entries.indices {
      if entries[index].phase == .ready, !gate.stops(entries[index]) {
        guard send(entries[index].number) else { return }
        entries[index].phase = .submitted
      }
      gate.close(behind: entries[index])
    }
  }

  /// The packet of a number, whose turn has come. It keeps its place until `leave`.
  func command(_ number: Int) -> SurfaceCommand? { entries.first { $0.number == number }?.command }

  /// Removes a packet that was carried out, unless its words are looked up now.
  mutating func leave(_ number: Int) {
    if entries.first(where: { $0.number == number })?.phase == .submitted { remove(number) }
  }

  /// Removes a packet.
  mutating func remove(_ number: Int) {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
    bytes -= entries.remove(at: index).command.packet.weight
  }

  /// What must not overtake the packets that were looked at.
  private struct Gate {
    private var players: Set<String> = []
    private var (hasAll, hasAny) = (false, false)
    private var peers: Set<Peer> = []

    mutating func close(behind entry: Entry) {
      players.formUnion(entry.subjects.players)
      hasAll = hasAll || entry.subjects.isAll
      hasAny = hasAny || !entry.subjects.isEmpty
      peers.insert(entry.command.peer)
    }

    func stops(_ entry: Entry) -> Bool { stops(entry.subjects, of: entry.command.peer) }

    func stops(_ subjects: PlayerSubjects, of peer: Peer) -> Bool {
      if subjects.isSync, peers.contains(peer) { return true }
      if subjects.isEmpty { return false }
      return hasAll || subjects.isAll && hasAny || !subjects.players.isDisjoint(with: players)
    }
  }
}
