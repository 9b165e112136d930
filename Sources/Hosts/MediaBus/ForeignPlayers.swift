/// The media players of other programs: a value that knows who played last, and whom we paused.
struct ForeignPlayers {
  private struct Entry {
    /// The unique name of the connection that has it.
    var owner: String
    var identity: String?
    /// Nil until the player has told it.
    var status: NowPlaying.Status?
    /// Counts the moments at which players began to play; 0 if this one was only seen paused.
    var started: Int?
    var isPausedByUs = false
  }

  private var entries: [String: Entry] = [:]
  private var starts = 0

  /// `playerctld` shows the player that was active last once more, be it ours: it is none.
  private static let mirrors: Set = [PlayerInterface.namePrefix + "playerctld"]

  /// Whether a name is that of a player.
  static func isPlayer(_ name: String) -> Bool {
    name.hasPrefix(PlayerInterface.namePrefix) && !mirrors.contains(name)
  }

  // MARK: News

  /// A player has come, or another connection has its name now.
  mutating func appeared(_ name: String, owner: String) {
    if entries[name]?.owner != owner { entries[name] = Entry(owner: owner) }
  }

  mutating func vanished(_ name: String) { entries[name] = nil }

  /// The names of the players of a connection.
  func names(of owner: String) -> [String] { entries.filter { $0.value.owner == owner }.map(\.key).sorted() }

  mutating func identified(_ name: String, as identity: String) {
    // It is shown to people, and any program may be a player.
    let plain = identity.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(100)
    entries[name]?.identity = plain.isEmpty ? nil : String(String.UnicodeScalarView(plain))
  }

  mutating func changed(_ name: String, to status: NowPlaying.Status) {
    guard var entry = entries[name], entry.status != status else { return }
    switch status {
    case .playing:
      starts += 1
      entry.started = starts
      // Somebody plays it again, so we must not, at the end of the interruption, if it is paused then.
      if entry.status == .paused { entry.isPausedByUs = false }
    // A player that pauses has played before, if not since we look.
    case .paused: entry.started = entry.started ?? 0
    case .stopped: entry.isPausedByUs = false
    }
    entry.status = status
    entries[name] = entry
  }

  // MARK: Questions

  /// The player that played last.
  var last: ForeignPlayer? {
    let played = entries.filter { $0.value.started != nil }
    let found = played.max { ($0.value.started ?? 0, $1.key) < ($1.value.started ?? 0, $0.key) }
    return found.map { name, entry in
      ForeignPlayer(
        busName: name, identity: entry.identity ?? String(name.dropFirst(PlayerInterface.namePrefix.count)),
        status: entry.status ?? .stopped)
    }
  }

  // MARK: Interruptions

  /// Notes that we pause a player, if it plays.
  ///
  /// - Returns: whether it plays.
  mutating func interrupt(_ name: String) -> Bool {
    guard entries[name]?.status == .playing else { return false }
    entries[name]!.isPausedByUs = true
    return true
  }

  /// Notes that we resume all that we paused and that are still paused.
  ///
  /// - Returns: their names.
  mutating func resume() -> [String] {
    let names = entries.filter { $0.value.isPausedByUs }.map(\.key).sorted()
    for name in names { entries[name]?.isPausedByUs = false }
    return names
  }

  /// Notes that a player did not do what we asked.
  mutating func refused(_ name: String) { entries[name]?.isPausedByUs = false }
}
