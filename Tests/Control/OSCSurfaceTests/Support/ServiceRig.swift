import ControlInterface
import MixEngine
import OSC
import Queues
import SessionModel
import SessionPolicy
import Synchronization

@testable import OSCSurface

/// A surface with its inbox and its waiting line, and a router that carries out one turn after the other, all on the test's thread.
///
/// `@unchecked Sendable` is safe because nothing leaves that thread.
final class ServiceRig: @unchecked Sendable {
  private(set) var state: RouterState
  var time = 100.0
  /// The packets that the surface has sent, in order.
  let sent = Sent()
  /// The lookups that nobody has answered yet.
  let searches = Mutex<[(number: Int, words: [String])]>([])
  /// Whether lookups are refused.
  let isFull = Mutex(false)
  /// The texts that the surface has sent, in order.
  let texts = Texts()
  /// The clients whose connections take texts.
  let textClients = Mutex<[Peer]>([])
  /// The clients whose connections have ended.
  let gone = Mutex<Set<Peer>>([])
  private let turns = Mutex<[SurfaceTurn]>([])
  private(set) var service: SurfaceService!
  private var numbering = EventNumbering()

  final class Sent {
    var messages: [(peer: Peer, message: OSCMessage)] = []
  }

  final class Texts {
    var texts: [(peer: Peer, text: String)] = []
  }

  init(_ desk: Desk) {
    state = desk.state
    service = SurfaceService(
      desk.surface, isConnected: { [unowned self] peer in !gone.withLock { $0.contains(peer) } },
      findFiles: { [unowned self] number, words throws(SessionError) in
        guard !isFull.withLock(\.self) else { throw SessionError(.full, "no room") }
        searches.withLock { $0.append((number, words)) }
      },
      textClients: { [unowned self] in textClients.withLock(\.self) },
      sendText: { [texts] in texts.texts.append(($0, String(decoding: $1, as: UTF8.self))) }
    ) { [sent] peer, packet in sent.messages += packet.messages.map { (peer, $0) } }
    service.serve { [unowned self] turn in
      turns.withLock { $0.append(turn) }
      return true
    }
  }

  /// Receives packets and carries out all turns.
  func receive(_ packets: OSCPacket..., from peer: Peer = Desk.me) {
    let bytes = [UInt8](repeating: 0, count: 8)
    for packet in packets {
      service.entrance.enter(bytes.span, from: peer)
      _ = service.entrance.take(.success(packet), from: peer, at: time)
    }
    run()
  }

  func receive(_ address: String, _ arguments: OSCArgument..., from peer: Peer = Desk.me) {
    receive(.message(OSCMessage(address, arguments)), from: peer)
  }

  /// Receives texts of a connection and carries out all turns.
  func receive(texts: String..., from peer: Peer) {
    for text in texts { service.receive(text: Array(text.utf8), from: peer) }
    run()
  }

  func carryOutTexts() { run() }

  /// Answers the oldest lookup: every word means a file of its name.
  func find(_ problems: [String] = []) {
    let search = searches.withLock { $0.removeFirst() }
    var meanings: [String: QueueAddition] = [:]
    for word in search.words {
      meanings[word] = QueueAddition(
        problems.isEmpty ? [QueueItem(name: word, title: word)] : [], problems: problems)
    }
    service.found(search.number, meanings)
    run()
  }

  /// Lets time pass.
  func wait(_ seconds: Double) {
    time += seconds
    if let due = service.nextDue(at: time), due <= time { service.advance(state, at: time) }
    run()
  }

  private func run() {
    while let turn = turns.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      var turn = turn
      let before = state
      _ = turn.takeEarlyLevel()
      if let told = turn.decide(&state, at: time) {
        turn.follow(nil)
        service.publish(
          Change(from: before, to: state, events: numbering.number(told), at: time, by: turn.author))
        _ = turn.answer(state, at: time) { [] }
      }
      turn.finish()
    }
  }

  /// Takes the messages to a client, as texts.
  func take(_ peer: Peer = Desk.me) -> [String] {
    defer { sent.messages = [] }
    return Desk.told(sent.messages.filter { $0.peer == peer }.map(\.message))
  }
}
