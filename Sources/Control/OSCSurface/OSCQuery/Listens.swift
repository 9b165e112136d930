import ControlInterface
import OSC
import Parameters
import SessionModel

/// The values to which clients of OSCQuery listen, each by its address. There may be thousands, so an address costs no more than a look into
/// a table, and a change is noted once for all who listen to it.
struct Listens: Sendable {
  private var values: [String: Listened] = [:]
  private var clients: [Int32: Listener] = [:]
  private var numbers: [Peer: Int32] = [:]
  private var nextNumber: Int32 = 0
  /// What has changed since the clients were told.
  private var changed = ChangedLeaves()
  private var nextRound = 0.0
  /// How many of the addresses begin with a word, and with two words.
  private var beginnings: [Substring: Int] = [:]
  private var measuredCount = 0
  var meters = ListenedMeters()

  private struct Listened {
    let match: Match
    /// The numbers of the clients.
    var listeners: [Int32]
  }

  private struct Listener {
    let peer: Peer
    /// The number of addresses to which the client listens.
    var count = 0
    /// The leaves that the client must be told.
    var waiting = ChangedLeaves()
    var nextPart = 0.0
  }

  /// Greatest number of addresses to which one client listens: those of a large show.
  static let mostAddresses = 32_768
  /// Seconds between two messages of one address.
  private static let interval = 1 / Subscription.usualRate
  /// The number of messages to a client at a time, and seconds between two such parts, so that it can read them meanwhile.
  private static let (part, pause) = (256, 0.005)

  var isEmpty: Bool { values.isEmpty }
  var peers: [Peer] { Array(numbers.keys) }
  var hasMeasured: Bool { measuredCount > 0 }

  /// Whether somebody may listen to an address that begins with these parts.
  func mayWant(below parts: [String]) -> Bool {
    guard let first = parts.first, !values.isEmpty else { return !values.isEmpty }
    return beginnings[parts.count > 1 ? "/\(first)/\(parts[1])" : "/\(first)"] != nil
  }

  /// When the next message is due; nil if none waits.
  var nextDue: Double? {
    let parts = clients.values.lazy.filter { !$0.waiting.isEmpty }.map(\.nextPart).min()
    return [changed.isEmpty ? nil : nextRound, parts, meters.nextDue].compactMap(\.self).min()
  }

  // MARK: Coming and going

  /// Notes that a client listens to a leaf from now on, and owes it the present value.
  ///
  /// - Returns: false if the client listens to too many addresses already.
  mutating func add(_ match: Match, for peer: Peer, at time: Double) -> Bool {
    let number = number(of: peer)
    guard clients[number]!.count < Self.mostAddresses else { return false }
    if values[match.address] == nil {
      values[match.address] = Listened(match: match, listeners: [])
      count(match, by: 1)
    }
    if !values[match.address]!.listeners.contains(number) {
      values[match.address]!.listeners.append(number)
      clients[number]!.count += 1
    }
    guard !match.parameter.isMeter else { return true }
    if clients[number]!.waiting.isEmpty {
      // What was sent at the last part may still be on its way.
      clients[number]!.nextPart = max(time, clients[number]!.nextPart)
    }
    clients[number]!.waiting.note(match)
    return true
  }

  mutating func remove(_ address: String, for peer: Peer) {
    guard let number = numbers[peer], let index = values[address]?.listeners.firstIndex(of: number)
    else { return }
    values[address]!.listeners.remove(at: index)
    clients[number]!.count -= 1
    if values[address]!.listeners.isEmpty { forget(address) }
    if clients[number]!.count == 0 { (clients[number], numbers[peer]) = (nil, nil) }
  }

  /// Ends all of a client that goes.
  mutating func leave(_ peer: Peer) {
    guard numbers[peer] != nil else { return }
    for address in Array(values.keys) { remove(address, for: peer) }
  }

  /// Ends what is at a node that is gone, or below it.
  mutating func end(below address: String) {
    guard beginnings[Self.beginning(of: address)] != nil else { return }
    for (known, value) in values where known.hasPrefix(address) {
      guard known.utf8.count == address.utf8.count || known.dropFirst(address.count).first == "/" else {
        continue
      }
      for number in value.listeners {
        if let peer = clients[number]?.peer { remove(known, for: peer) }
      }
    }
  }

  /// Owes a client all present values, because it has missed some.
  mutating func repeatAll(for peer: Peer) {
    guard let number = numbers[peer] else { return }
    for value in values.values where value.listeners.contains(number) {
      if value.match.parameter.isMeter {
        meters.forgetSent(value.match.address)
      } else {
        clients[number]!.waiting.note(value.match)
      }
    }
  }

  private mutating func number(of peer: Peer) -> Int32 {
    if let known = numbers[peer] { return known }
    nextNumber += 1
    (numbers[peer], clients[nextNumber]) = (nextNumber, Listener(peer: peer))
    return nextNumber
  }

  private mutating func forget(_ address: String) {
    guard let gone = values.removeValue(forKey: address) else { return }
    count(gone.match, by: -1)
  }

  private mutating func count(_ match: Match, by step: Int) {
    for beginning in Set([Self.beginning(of: match.address, 1), Self.beginning(of: match.address)]) {
      let count = beginnings[beginning, default: 0] + step
      beginnings[beginning] = count > 0 ? count : nil
    }
    if match.parameter.isMeasured { measuredCount += step }
    if match.parameter.isMeter { step > 0 ? meters.add(match) : meters.remove(match.address) }
  }

  /// The first words of an address.
  private static func beginning(of address: String, _ words: Int = 2) -> Substring {
    var slashes = 0
    return address.prefix { character in
      if character == "/" { slashes += 1 }
      return slashes <= words
    }
  }

  // MARK: Changes

  /// Notes a changed leaf.
  mutating func mark(_ match: Match) { if values[match.address] != nil { changed.note(match) } }

  /// Sends what is due, one message a packet.
  mutating func flush(_ readings: inout EncodedReadings, at time: Double, _ outcome: inout Surface.Outcome) {
    if !changed.isEmpty, nextRound <= time {
      nextRound = FeedbackGroups.nextRound(after: time, interval: Self.interval)
      for match in changed.take() {
        for number in values[match.address]?.listeners ?? [] { clients[number]!.waiting.note(match) }
      }
    }
    for number in Array(clients.keys) {
      guard !clients[number]!.waiting.isEmpty, clients[number]!.nextPart <= time else { continue }
      clients[number]!.nextPart = time + Self.pause
      for match in clients[number]!.waiting.take(most: Self.part) {
        guard values[match.address]?.listeners.contains(number) == true,
          let message = readings.message(match, .tags)
        else { continue }
        outcome.datagrams.append(Surface.Datagram(to: clients[number]!.peer, .encoded(message)))
      }
    }
  }

  /// Sends the held peaks that differ from those before.
  mutating func flushMeters(every interval: Double, at time: Double, _ outcome: inout Surface.Outcome) {
    for message in meters.take(every: interval, at: time) {
      let encoded = OSCPacket.encoded(EncodedMessage(message))
      for number in values[message.address]?.listeners ?? [] {
        outcome.datagrams.append(Surface.Datagram(to: clients[number]!.peer, encoded))
      }
    }
  }
}
