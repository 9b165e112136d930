import ControlInterface
import OSC
import SessionModel
import Synchronization

/// Tells senders that a packet is over a limit: each host once a second. Any thread (docs/develop/law/osc.md#15-packet-limits).
final class LimitErrors: Sendable {
  private let told = Mutex<[HostAddress: Double]>([:])
  /// Greatest number of hosts that are remembered.
  private static let capacity = 256

  /// The error for the sender of a packet that was dropped; nil if the packet is no valid OSC, or if its host was told lately.
  ///
  /// - Parameter time: the present time, in seconds of any clock.
  func message(for failure: OSCDecodeError, of peer: Peer, at time: Double) -> OSCMessage? {
    let limits = peer.transport.isStream ? PacketLimits.tcp : .udp
    guard let sentence = failure.sentence(limits) else { return nil }
    let isNew = told.withLock { told in
      if let last = told[peer.host], time - last < 1 { return false }
      if told.count >= Self.capacity { told = told.filter { time - $0.value < 1 } }
      if told.count < Self.capacity { told[peer.host] = time }
      return true
    }
    return isNew ? Surface.error("", SessionError(.full, sentence)) : nil
  }
}

extension OSCDecodeError {
  /// Which limit a packet is over, and what to do; nil if it is over none.
  fileprivate func sentence(_ limits: PacketLimits) -> String? {
    switch self {
    case .oversize:
      "the packet was dropped, because it has more than \(limits.size) bytes; send several smaller packets"
        + (limits == .tcp ? "" : ", or use TCP, where a packet may have \(PacketLimits.tcp.size)")
    case .tooManyMessages:
      "the packet was dropped, because it has more than \(limits.messages) messages; send several bundles"
    case .tooDeep:
      "the packet was dropped, because its bundles are more than \(limits.depth) deep; put the messages into one bundle"
    case .tooManyArguments:
      "the packet was dropped, because a message has more than \(limits.arguments) arguments; send several messages"
    default: nil
    }
  }
}
