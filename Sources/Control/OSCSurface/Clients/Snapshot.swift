import ControlInterface
import OSC
import Parameters
import Patterns
import SessionModel

/// A snapshot of every readable leaf of a pattern but meters and measurements, always including panic. Each value is read when its packet is sent.
struct Snapshot: Sendable {
  /// The pattern in `/snapshot/end`.
  let name: String
  var port: UInt16
  /// The number of messages so far.
  private(set) var count = 0
  private var search: LeafSearch
  /// Whether panic is still to be sent before the leaves of the pattern, which does not match panic.
  private var owesPanic: Bool
  /// What the client may reach.
  private let reach: Reach

  private static let panic = "/system/panic"

  /// - Parameter pattern: nil for all leaves.
  init(_ pattern: AddressPattern?, port: UInt16, _ reach: Reach) {
    (name, self.port, self.reach) = (pattern?.text ?? "/*", port, reach)
    search = LeafSearch(pattern, includesBelow: true)
    owesPanic = pattern.map { !$0.matchesPrefix(of: Self.panic) } ?? false
  }

  var isDone: Bool { search.isDone && !owesPanic }

  /// The messages of the next packet.
  ///
  /// - Parameters:
  ///   - touched: the faders that are left out, because the client has a finger on them. It is told their values when it lifts the finger.
  ///   - looks: the number of addresses that may be looked at; reduced by those that were.
  ///   - follow: called with each value that a fade moves. The fade may have started before there was a subscription.
  mutating func next(
    _ tree: AddressTree, _ moment: Moment, _ switches: SwitchFormat, without touched: Set<LeafKey>,
    looks: inout Int, follow: (Match) -> Void
  ) -> [EncodedMessage] {
    var messages: [EncodedMessage] = []
    var size = OSCBundle.headerSize
    func take(_ match: Match) -> Bool {
      guard match.isReadable, !match.parameter.isMeter, !match.parameter.isMeasured,
        reach.isWhole || reach.reads(match.address), let value = match.read(moment)
      else { return true }
      if !touched.isEmpty, touched.contains(match.control(in: moment.state)) { return true }
      let message = EncodedMessage(switches.message(match, value))
      let length = 4 + message.bytes.count
      guard size + length <= OSCBundle.usualSize || messages.isEmpty else { return false }
      size += length
      messages.append(message)
      if match.aspect == .value, match.parameter.isMoving(moment, match.target) { follow(match) }
      return true
    }
    if owesPanic, let panic = try? tree.find(Self.panic, in: moment.state) {
      owesPanic = false
      _ = take(panic)
    }
    let before = search.looks
    search.run(tree, in: moment.state, mostLooks: looks, take)
    looks -= search.looks - before
    count += messages.count
    return messages
  }
}
