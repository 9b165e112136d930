import ControlInterface
import MixEngine
import OSC
import SessionModel
import Synchronization

/// The short path of a fader's level: from the receiving thread to the audio thread, before the policy decides on the packet.
///
/// The lane remembers the last faders whose packets moved one stage each and did nothing else. If such a fader moves again
/// and no other packet is on its way to the policy, the decision is known in advance, so the level is sent early. The policy
/// still decides: the plan that it publishes for the packet overrides the early level. Any other event clears the lane
/// (docs/develop/decisions/early-levels.md).
final class FaderLane: Sendable {
  private let state = Mutex(State())

  private struct State {
    /// The sender of early levels to the audio thread; nil while there is no audio server.
    var sender: EarlySender?
    /// The known faders; the one that moved last is at the end.
    var known: [Known] = []
    /// The number of packets on which the policy has not decided.
    var waiting = 0
    /// The early level that is not decided yet: its number, and the peer that sent its packet.
    var sent: (serial: UInt64, peer: Peer)?
    /// The number of early levels since the start.
    var count = 0
  }

  private struct Known {
    let fader: Surface.Fader
    /// The bytes with which its packets begin; a number follows.
    let beginning: [UInt8]
    let stage: EarlySender.Stage
  }

  /// Greatest number of known faders; more than a surface's bank has.
  private static let mostKnown = 32

  /// The number of early levels since the start.
  var count: Int { state.withLock { $0.count } }

  /// Sets the audio thread that receives levels from now on; nil for none.
  func use(_ sender: EarlySender?) {
    state.withLock { state in
      (state.sender, state.known, state.sent) = (sender, [], nil)
    }
  }

  // MARK: On the receiving thread

  /// Counts a packet on its way to the policy. If the packet only moves a known fader, its level is sent early.
  func enter(_ bytes: Span<UInt8>, from peer: Peer) {
    state.withLock { state in
      defer { state.waiting += 1 }
      guard state.waiting == 0, let level = Self.level(of: bytes, from: peer, state),
        let serial = state.sender?.send(level.stage, to: level.target)
      else { return }
      state.sent = (serial, peer)
      state.count += 1
    }
  }

  private static func level(
    of bytes: Span<UInt8>, from peer: Peer, _ state: State
  ) -> (stage: EarlySender.Stage, target: Float)? {
    bytes.withUnsafeBytes { bytes in
      for known in state.known.reversed()
      where known.fader.peer == peer && known.beginning.count + 4 == bytes.count
        && known.beginning.elementsEqual(bytes.prefix(known.beginning.count))
      {
        let number = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self))
        return known.fader.amplitude(Float(bitPattern: number)).map { (known.stage, $0) }
      }
      return nil
    }
  }

  /// Notes that a packet is decided and published, or that it never goes to the policy.
  func leave() { state.withLock { $0.waiting -= 1 } }

  // MARK: On the policy thread

  /// Counts a packet that had left and goes to the policy after all.
  func comeBack() { state.withLock { $0.waiting += 1 } }

  /// Takes the number of the early level of a peer's packet, which the policy decides on now; nil if there is none.
  func takeSent(of peer: Peer) -> UInt64? {
    state.withLock { state in
      guard let sent = state.sent, sent.peer == peer else { return nil }
      state.sent = nil
      return sent.serial
    }
  }

  /// Remembers a fader whose packet moved one stage and did nothing else.
  func learn(_ fader: Surface.Fader, _ stage: EarlySender.Stage) {
    state.withLock { state in
      let place = state.known.firstIndex { $0.fader == fader && $0.stage == stage }
      let known =
        place.map { state.known.remove(at: $0) }
        ?? Known(
          fader: fader, beginning: PacketEncoder.encode(OSCMessage(fader.address, .float(0))).dropLast(4),
          stage: stage)
      state.known.append(known)
      if state.known.count > Self.mostKnown { state.known.removeFirst() }
    }
  }

  /// Forgets all faders, because something else has changed the state.
  func forget() { state.withLock { $0.known = [] } }
}
