import Foundation
import OSC
import Testing

/// A surface that shows everything, and keeps its picture true over a network that loses packets: by the numbers of bundles (`/seq`,
/// `/alive`) and by `/resync`.
final class Mirror {
  /// The values that the surface shows, with the number of the bundle that brought each.
  private(set) var picture: [String: (arguments: [OSCArgument], number: Int32)] = [:]
  private let client: OSCClient
  /// The last bundle before the first one that is missing.
  private var good: Int32 = 0
  /// The bundles behind that one which have arrived.
  private var ahead: Set<Int32> = []
  /// The last bundle of which the surface knows.
  private var newest: Int32 = 0
  private var signsOfLife = 0
  private(set) var gaps = 0

  init(port: UInt16) throws { client = try OSCClient(port: port) }

  func tell(_ address: String, _ arguments: OSCArgument...) throws {
    try client.send(OSCMessage(address, arguments))
  }

  /// Subscribes to everything; asks again until the snapshot has ended.
  func subscribe() throws {
    for _ in 1...50 {
      try tell("/subscribe")
      if try receive(seconds: 0.5, until: { $0.address == "/snapshot/end" }) { return }
    }
    Issue.record("no snapshot came")
  }

  /// Takes what arrives for some seconds, or until a message.
  @discardableResult
  func receive(seconds: Double, until isLast: (OSCMessage) -> Bool = { _ in false }) throws -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while let packet = try client.receive(timeout: max(.zero, end - .now)) {
      note(packet.messages)
      if packet.messages.contains(where: isLast) { return true }
    }
    return false
  }

  private func note(_ messages: [OSCMessage]) {
    guard let first = messages.first else { return }
    if first.address == "/alive", case .int32(let number)? = first.arguments.last {
      newest = max(newest, number)
      signsOfLife += 1
    }
    guard first.address == "/seq", case .int32(let number)? = first.arguments.last else { return }
    if number > newest + 1 { gaps += 1 }
    newest = max(newest, number)
    ahead.insert(number)
    advance()
    for message in messages.dropFirst() where picture[message.address]?.number ?? 0 <= number {
      picture[message.address] = (message.arguments, number)
    }
  }

  private func advance() {
    ahead = ahead.filter { $0 > good }
    while ahead.remove(good + 1) != nil { good += 1 }
  }

  /// Asks for what is missing, until nothing is.
  func resync() throws {
    var (asked, isCovered, signs) = (Int32(0), false, 0)
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
      if !isCovered || newest > good {
        asked += 1
        let before = newest
        let question = [OSCMessage("/resync", .int32(good)), OSCMessage("/ping", "round", .int32(asked))]
        try client.send(.bundle(OSCBundle(question.map(OSCPacket.message))))
        let isHeard = try receive(seconds: 0.3) {
          $0.address == "/pong" && $0.arguments.last == .int32(asked)
        }
        guard isHeard else { continue }
        // Whatever was missing comes in later bundles, and one of these that is lost is missing in turn.
        (good, isCovered, signs) = (max(good, before), true, signsOfLife)
        advance()
      }
      try receive(seconds: 0.1)
      // The last bundle may be lost; a sign of life tells its number.
      if signsOfLife >= signs + 2, newest == good { return }
    }
    Issue.record("the surface never got all that it had missed")
  }
}
