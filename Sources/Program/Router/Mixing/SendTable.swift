/// The sends of the mix with the levels that were last published, and the wanted crosspoints that follow each.
///
/// A recall may change the levels of thousands of sends, so changing a level hashes nothing: changes come in the order of the table.
struct SendTable {
  private var rows: [Row] = []
  /// The crosspoints of all rows, row after row.
  private var followers: [Follower] = []
  private var places: [SendKey: Int] = [:]

  private struct Row {
    let key: SendKey
    var level: MixLevels.Level
    let followers: Range<Int>
  }

  /// A crosspoint with the revision that the engine last got for it.
  struct Follower {
    let crosspoint: Int
    var revision: UInt32
  }

  init() {}

  /// - Parameter followers: the crosspoints of each send that the engine has.
  init(_ sends: [MixLevels.Send], followers: [SendKey: [Follower]]) {
    rows.reserveCapacity(sends.count)
    for send in sends {
      let first = self.followers.count
      self.followers += followers[send.key] ?? []
      places[send.key] = rows.count
      rows.append(Row(key: send.key, level: send.level, followers: first..<self.followers.count))
    }
  }

  /// Takes new levels of some sends. A send that the table does not have moves nothing.
  /// - Parameters:
  ///   - revision: the revision of all stages that move.
  ///   - move: called for each crosspoint that moves.
  mutating func follow(
    _ sends: [MixLevels.Send], revision: UInt32, move: (_ crosspoint: Int, _ to: SentLevel) -> Void
  ) {
    var next = 0
    for send in sends {
      guard let place = place(of: send.key, expected: next) else { continue }
      next = place + 1
      guard send.level.isNew(after: rows[place].level) else { continue }
      rows[place].level = send.level
      for index in rows[place].followers {
        followers[index].revision = revision
        move(followers[index].crosspoint, SentLevel(level: send.level, revision: revision))
      }
    }
  }

  private func place(of key: SendKey, expected place: Int) -> Int? {
    place < rows.count && rows[place].key == key ? place : places[key]
  }

  /// Calls `body` with the level that the engine last got for each crosspoint.
  func forEachFollower(_ body: (_ crosspoint: Int, SentLevel) -> Void) {
    for row in rows {
      for follower in followers[row.followers] {
        body(follower.crosspoint, SentLevel(level: row.level, revision: follower.revision))
      }
    }
  }
}

/// A level that the engine has got for a stage.
struct SentLevel {
  var level: MixLevels.Level
  /// Grows whenever the stage must begin a ramp.
  var revision: UInt32
}
