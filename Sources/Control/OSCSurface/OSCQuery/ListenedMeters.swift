import ControlInterface
import OSC
import Parameters
import SessionModel

/// The meters to which clients of OSCQuery listen, with their highest peaks since the last message.
struct ListenedMeters: Sendable {
  private var matches: [String: Match] = [:]
  private var held: [String: [OSCArgument]] = [:]
  private var sent: [String: [OSCArgument]] = [:]
  private var nextRound = 0.0

  var isEmpty: Bool { matches.isEmpty }
  var nextDue: Double? { held.isEmpty ? nil : nextRound }

  mutating func add(_ match: Match) { matches[match.address] = match }

  mutating func remove(_ address: String) {
    (matches[address], held[address], sent[address]) = (nil, nil, nil)
  }

  /// Sends the next value of a meter, whether or not it differs from the last one.
  mutating func forgetSent(_ address: String) { sent[address] = nil }

  /// Sends the present value of a meter, whether or not it has changed.
  mutating func present(_ reading: [OSCArgument], of address: String) {
    forgetSent(address)
    hold(reading, of: address)
  }

  /// Forgets the peaks that wait to be sent.
  mutating func forgetHeld() { held.removeAll(keepingCapacity: true) }

  /// Takes the levels of the last few milliseconds.
  mutating func hold(_ board: MeterBoard) {
    for match in matches.values {
      guard let reading = board.peak(match) else { continue }
      if match.target.meter != nil || match.parameter.meterValue?.isHeld == false {
        held[match.address] = nil
      }
      hold(reading, of: match.address)
    }
  }

  private mutating func hold(_ reading: [OSCArgument], of address: String) {
    guard held[address] != nil || reading != sent[address] else { return }
    held[address] = Self.louder(held[address] ?? [], reading)
  }

  mutating func take(every interval: Double, at time: Double) -> [OSCMessage] {
    guard !held.isEmpty, time >= nextRound else { return [] }
    nextRound = time + interval
    defer { held.removeAll(keepingCapacity: true) }
    return held.sorted { $0.key < $1.key }.compactMap { address, reading in
      guard sent[address] != reading, let match = matches[address] else { return nil }
      sent[address] = reading
      return SwitchFormat.tags.message(match, reading)
    }
  }

  private static func louder(_ left: [OSCArgument], _ right: [OSCArgument]) -> [OSCArgument] {
    guard left.count == right.count else { return right }
    return zip(left, right).map { ($0.number ?? 0) > ($1.number ?? 0) ? $0 : $1 }
  }
}
