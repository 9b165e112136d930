import ControlInterface
import OSC
import SessionModel

/// The answers to one packet, from its first message to its last. The surface makes them in slices, so that a packet with many answers
/// makes no other client wait.
public struct Answering: Sendable {
  let transaction: PacketTransaction
  /// Index of the message that is answered now, and of its next step.
  private var (message, step) = (0, 0)
  /// A step that is not finished yet.
  private var unfinished: PacketTransaction.Step?
  /// Answers to the present message that are not sent yet.
  private var waiting: [OSCMessage] = []
  /// The only answer to the present request so far. It becomes a part of the response unless another answer follows.
  private var only: OSCMessage?
  /// The number of answers to the present message.
  private var count = 0
  /// Whether the response to the present request waits until the audio thread has adopted all earlier commands.
  private(set) var isSync = false
  /// Whether the answer to the present message comes when the work is done.
  private(set) var isHandedOver = false
  /// The bytes that may still be answered.
  private var room: Int
  /// Whether the packet asked for more than may be answered.
  private(set) var isFull = false
  private var isCutTold = false

  /// Greatest size of the answers to one packet of another machine or of a connection, in bytes.
  static let mostBytes = 256 << 10

  init(_ trial: Surface.Trial) {
    transaction = trial.transaction
    let peer = transaction.peer
    room = peer.hasBoundedAnswers ? Self.mostBytes : .max
  }

  /// Whether the packet is answered.
  public var isDone: Bool { result == nil }

  /// The result of the message that is answered now; nil at the end.
  var result: PacketTransaction.Result? {
    message < transaction.results.count ? transaction.results[message] : nil
  }

  mutating func end() { message = transaction.results.count }

  // MARK: Steps

  /// Takes the next step of the present message; nil if there is none.
  mutating func takeStep() -> PacketTransaction.Step? {
    if let next = unfinished.take() { return next }
    guard let result, step < result.steps.count else { return nil }
    step += 1
    return result.steps[step - 1]
  }

  /// Makes a step the next one again, because it is not finished.
  mutating func putBack(_ step: PacketTransaction.Step) { unfinished = step }

  /// Goes on with the next message.
  mutating func nextMessage() {
    (message, step, only, count) = (message + 1, 0, nil, 0)
    (isSync, isHandedOver) = (false, false)
  }

  /// Takes over what a command of a request waits for, so that the response waits, too.
  mutating func noteSync(_ outcome: inout Surface.Outcome) {
    guard result?.request != nil else { return }
    outcome.syncs.removeLast()
    isSync = true
  }

  /// Gives an errand to the program. The client gets the response to its request, or `/ok`, when the errand is done.
  mutating func handOver(
    _ job: Surface.Errand.Job, to outcome: inout Surface.Outcome, _ address: String, _ peer: Peer,
    acknowledges: Bool
  ) {
    let request = result?.request
    outcome.errands.append(
      Surface.Errand(
        job, from: request == nil ? peer : transaction.peer, address, request, acknowledges: acknowledges))
    isHandedOver = true
  }

  // MARK: Answers

  /// Adds an answer to the present message, unless the packet has got as many bytes as it may.
  mutating func add(_ answer: OSCMessage) {
    if room < .max {
      let size = OSCBundle.size(of: answer)
      isFull = isFull || size > room
      guard !isFull else { return }
      room -= size
    }
    count += 1
    guard result?.request == nil || count > 1 else {
      only = answer
      return
    }
    if let first = only.take() { waiting.append(first) }
    waiting.append(answer)
  }

  /// Takes the answers that are not sent yet.
  mutating func takeWaiting() -> [OSCMessage] {
    defer { waiting = [] }
    return waiting
  }

  /// Takes the error that tells that the answers were cut; nil if they were not, or if the error was taken before.
  mutating func takeCut(_ address: String) -> OSCMessage? {
    guard isFull, !isCutTold else { return nil }
    isCutTold = true
    return Surface.error(address, Self.cut)
  }

  /// The response to a request.
  func response(to request: RequestKey, _ result: PacketTransaction.Result) -> OSCMessage {
    if let complaint = result.complaints.first { return Surface.response(request, complaint.error) }
    if isFull { return Surface.response(request, Self.cut) }
    var arguments: [OSCArgument] = [.int32(request.id), .int32(0), .string(request.address)]
    // A single answer is part of the response. Several answers go before it, and the response has their number.
    if let only {
      arguments += only.arguments
    } else if count > 1 {
      arguments.append(.int32(Int32(count)))
    }
    return OSCMessage("/response", arguments)
  }

  static let cut = SessionError(
    .full,
    "one packet is answered by at most \(mostBytes >> 10) KiB; ask with a narrower pattern, or go on behind the last answer"
  )
}
