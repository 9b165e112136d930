import OSC
import Parameters
import Queues
import SessionModel

/// Commands about players and their queues.
extension Surface {
  /// Creates a player, with `s id s session[.stream] [s file]`.
  func createPlayer(_ arguments: Arguments, in transaction: inout PacketTransaction) throws(SessionError) {
    let id: PlayerID = try arguments.id()
    let (session, stream) = try place(try arguments.text(at: 1), in: transaction.state)
    try apply(.player(id, .create(session, stream, seed: .random(in: .min ... .max))), in: &transaction)
    guard arguments.all.count > 2 else { return }
    try fill(id, with: [try arguments.text(at: 2)], "/player/create", in: &transaction) { .replace($0) }
  }

  /// The stream that `show.band` means, or the first one of `show`.
  private func place(
    _ text: String, in state: RouterState
  ) throws(SessionError) -> (SessionID, StreamID) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let stream = parts.count == 2 ? StreamID(parts[1]) : nil
    guard let session = SessionID(parts[0]), parts.count == 1 || stream != nil else {
      throw SessionError(
        .badValue, "'\(text)' is no place for a player; write a session, or session.stream, such as show.main"
      )
    }
    // The law says what is wrong with a session without streams, and with one that does not exist.
    return (session, stream ?? state.sessions[session]?.streams.keys.first ?? SessionDefaults.stream)
  }

  /// Changes a queue by what the words of a command mean.
  ///
  /// Parts that mean nothing are told as warnings. If no part means anything, the command is refused.
  ///
  /// - Returns: the number of items, and a sentence for each part that cannot be used; nil while the words are to be looked up.
  @discardableResult
  func fill(
    _ id: PlayerID, with words: [String], _ address: String, in transaction: inout PacketTransaction,
    _ edit: ([QueueItem]) -> QueueEdit
  ) throws(SessionError) -> QueueAddition? {
    guard transaction.state.players.contains(id) else {
      // Nobody waits for a disk in vain.
      try apply(.player(id, .queue(edit([]))), in: &transaction)
      return nil
    }
    guard let found = transaction.words.meaning(of: words) else { return nil }
    guard !found.items.isEmpty else {
      throw SessionError(.notFound, Self.sentence(found.problems))
    }
    try apply(.player(id, .queue(edit(found.items))), in: &transaction)
    let client = clients.id(of: transaction.peer)
    for problem in found.problems.prefix(Self.mostProblems) {
      transaction.warnings.append(
        .error(client: client, address: address, SessionError(.notFound, problem)))
    }
    return found
  }

  /// The most problems of one command that are told one by one.
  private static let mostProblems = 20

  private static func sentence(_ problems: [String]) -> String {
    let more = problems.count > 3 ? " (and \(problems.count - 3) more)" : ""
    return problems.isEmpty ? "nothing is found" : problems.prefix(3).joined(separator: "; ") + more
  }

  /// Adds or inserts what words mean.
  func addToQueue(
    _ match: Match, _ words: [String], _ result: inout PacketTransaction.Result,
    in transaction: inout PacketTransaction, _ edit: ([QueueItem]) -> QueueEdit
  ) throws(SessionError) {
    let id: PlayerID = try match.target.id(of: \.player)
    guard let added = try fill(id, with: words, match.address, in: &transaction, edit) else { return }
    let problems = added.problems.prefix(Self.mostProblems)
    guard result.request == nil else {
      // The response has the number of items, and what could not be used.
      let count = OSCArgument.int32(Int32(clamping: added.items.count))
      result.steps.append(.answer(OSCMessage(match.address, [count] + problems.map(OSCArgument.string))))
      return
    }
    result.complaints += problems.map {
      PacketTransaction.Failure(address: match.address, error: SessionError(.notFound, $0), request: nil)
    }
  }

  /// The words of a command that name files.
  func words(_ arguments: Arguments, from index: Int) throws(SessionError) -> [String] {
    var words: [String] = []
    for place in arguments.all.indices.dropFirst(index) { words.append(try arguments.text(at: place)) }
    guard !words.isEmpty else {
      throw SessionError(
        .badValue,
        "argument \(index + 1) is missing; name a file, a folder, a playlist, a media id or a query such as album:Blue"
      )
    }
    return words
  }

}

/// The items of a queue, which are answered in slices.
struct QueueListing: Sendable {
  private let address: String
  private let items: [QueueItem]
  private var next: Int
  private let end: Int

  init(_ address: String, _ items: [QueueItem], _ page: Surface.PageRequest?) {
    (self.address, self.items) = (address, items)
    next = min(page?.start ?? 0, items.count)
    end = page.map { min($0.start + $0.count, items.count) } ?? items.count
  }

  var isDone: Bool { next >= end }

  /// The answer for an empty part of the queue: where it begins, and the number of items.
  var emptiness: OSCMessage {
    OSCMessage(address, .int32(Int32(clamping: next)), .int32(Int32(clamping: items.count)))
  }

  /// Makes the next answers, at most `most`.
  mutating func take(_ most: Int) -> [OSCMessage] {
    let part = next..<min(end, next + most)
    next = part.upperBound
    return part.map { index in
      let item = items[index]
      return OSCMessage(
        address, .int32(Int32(clamping: index)), .int32(Int32(clamping: items.count)), .string(item.media),
        .string(item.title), .string(item.artist), .string(item.album), .float(Float(item.seconds)))
    }
  }
}
