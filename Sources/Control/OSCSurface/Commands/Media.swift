import OSC
import Parameters
import Patterns
import Queues
import SessionModel

/// Commands about players, recorders, the music library and whatever plays.
extension Surface {
  /// Performs such a command on the copy.
  func performMedia(
    _ command: Command, _ match: Match, _ arguments: Arguments, _ result: inout PacketTransaction.Result,
    in transaction: inout PacketTransaction
  ) throws(SessionError) {
    switch command {
    case .createPlayer: try createPlayer(arguments, in: &transaction)
    case .removePlayer: try apply(.player(try arguments.id(), .remove), in: &transaction)
    case .loadPlayer where arguments.isEmpty: result.steps.append(.read([match]))
    case .loadPlayer:
      try addToQueue(match, try words(arguments, from: 0), &result, in: &transaction) { .replace($0) }
    case .addToQueue:
      try addToQueue(match, try words(arguments, from: 0), &result, in: &transaction) { .add($0) }
    case .insertIntoQueue:
      let (index, words) = (try index(arguments), try words(arguments, from: 1))
      try addToQueue(match, words, &result, in: &transaction) { .insert($0, at: index) }
    case .saveQueue:
      let player = try player(match, in: transaction)
      let name = try arguments.text()
      guard !player.queue.value.isEmpty else {
        throw SessionError(.notFound, "the queue of \(player.id) is empty, and nothing is written")
      }
      let job = MediaJob.save(player.queue.value.items, as: name)
      result.steps.append(.errand(.media(job), match.address))
    case .remote(let verb): try remote(verb, match, arguments, &result, in: &transaction)
    case .findInLibrary:
      let (query, page) = (try arguments.text(), try PageRequest(arguments, at: 1))
      result.steps.append(.errand(.media(.find(query, page)), match.address))
    case .listLibrary(let group):
      let page = try PageRequest(arguments, at: 0)
      result.steps.append(.errand(.media(.list(group, page)), match.address))
    case .scanLibrary: result.steps.append(.errand(.media(.scan), match.address))
    case .createRecorder: try createRecorder(arguments, in: &transaction)
    case .removeRecorder: try apply(.recorder(try arguments.id(), .remove), in: &transaction)
    case .listRecordings:
      let page = try PageRequest(arguments, at: 0)
      result.steps.append(.errand(.media(.recordings(page)), match.address))
    case .deleteRecording:
      let id: RecorderID = try match.target.id(of: \.recorder)
      guard !AddressPattern.isPattern(try arguments.text()) else {
        throw SessionError(.noWildcard, "'\(try arguments.text())' is a pattern; name one recording")
      }
      result.steps.append(.errand(.media(.delete(recording: try arguments.text(), of: id)), match.address))
    default: break
    }
  }

  /// Answers the items of a queue.
  func listQueue(
    _ match: Match, _ arguments: Arguments, in transaction: PacketTransaction
  ) throws(SessionError) -> PacketTransaction.Step {
    let player = try player(match, in: transaction)
    let page = arguments.isEmpty ? nil : try PageRequest(arguments, at: 0)
    return .list(QueueListing(match.address, player.queue.value.items, page))
  }

  private func player(_ match: Match, in transaction: PacketTransaction) throws(SessionError) -> MediaPlayer {
    let id: PlayerID = try match.target.id(of: \.player)
    guard let player = transaction.state.players[id] else {
      throw SessionError(.notFound, "there is no player \(id)")
    }
    return player
  }

  /// Reads the index of an item.
  private func index(_ arguments: Arguments) throws(SessionError) -> Int {
    let number = try arguments.number().rounded()
    guard let index = Int(exactly: number) else {
      throw SessionError(.outOfRange, "\(number) is no index of an item; they count from 0")
    }
    return index
  }

  /// Creates a recorder, with `s id s source [s file]`.
  private func createRecorder(
    _ arguments: Arguments, in transaction: inout PacketTransaction
  ) throws(SessionError) {
    let id: RecorderID = try arguments.id()
    let text = try arguments.text(at: 1)
    guard let source = RecorderSource(text) else {
      throw SessionError(
        .badValue,
        "'\(text)' is no source; write session:, stream:, output: or input: and an id, such as session:show, stream:show.band or output:usb"
      )
    }
    try apply(.recorder(id, .create(source)), in: &transaction)
    guard arguments.all.count > 2 else { return }
    try apply(.recorder(id, .set(.template(try arguments.text(at: 2)))), in: &transaction)
  }

  // MARK: Whatever plays

  /// Gives an order to the now-playing player; without one, to the player of another program that played last.
  private func remote(
    _ verb: RemoteVerb, _ match: Match, _ arguments: Arguments, _ result: inout PacketTransaction.Result,
    in transaction: inout PacketTransaction
  ) throws(SessionError) {
    let isWinding = [.seekForward, .seekBack].contains(verb)
    let isHeld = isWinding ? try arguments.flag() : true
    if let player = transaction.state.nowPlayingPlayers.last {
      try apply(.player(player, .order(verb.order(isHeld: isHeld))), in: &transaction)
    } else if !isWinding {
      result.steps.append(.errand(.media(.foreign(verb)), match.address))
    } else if isHeld {
      // The release of a button is no mistake that a surface must show.
      throw SessionError(
        .notFound, "no player of the router plays, and those of other programs cannot be wound")
    }
  }
}
