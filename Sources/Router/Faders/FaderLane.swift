import Glibc
import MixEngine
import OSC
import Surface
import Synchronization

/// The short way of a fader: from the thread that hears it to the audio thread, ahead of the policy that decides on it.
///
/// It knows the last faders that moved one stage each and did nothing else. A packet that moves one of them again, while
/// nothing else is on its way to the policy, can only come to the same, so its level is sent ahead; the policy still has the
/// last word, by the plan that it publishes for the packet. Whatever else happens makes the lane forget.
final class FaderLane: Sendable {
  private let state = Mutex(State())

  private struct State {
    /// The way to the audio thread, while there is one.
    var sender: EarlySender?
    /// The one that moved last at the end.
    var known: [Known] = []
    /// Packets that the policy has not dealt with.
    var waiting = 0
    /// The level that was sent ahead and is not decided on: its number, and whose packet decides.
    var sent: (serial: UInt64, peer: PeerAddress)?
    /// Levels that went ahead since the start.
    var count = 0
  }

  private struct Known {
    let fader: Surface.Fader
    /// What its packets begin with; a number follows.
    let beginning: [UInt8]
    let stage: EarlySender.Stage
  }

  /// More than a surface's bank of faders.
  private static let mostKnown = 32

  /// Levels that went ahead since the start.
  var count: Int { state.withLock { $0.count } }

  /// Goes to the audio thread by another way from now on, or by none.
  func use(_ sender: EarlySender?) {
    state.withLock { state in
      (state.sender, state.known, state.sent) = (sender, [], nil)
    }
  }

  // MARK: On the thread that hears

  /// Counts a packet that goes to the policy, and sends its level ahead if that is known to be all it does.
  func enter(_ bytes: Span<UInt8>, from peer: PeerAddress) {
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
    of bytes: Span<UInt8>, from peer: PeerAddress, _ state: State
  ) -> (stage: EarlySender.Stage, target: Float)? {
    bytes.withUnsafeBytes { bytes in
      for known in state.known.reversed()
      where known.fader.peer == peer && known.beginning.count + 4 == bytes.count
        && memcmp(known.beginning, bytes.baseAddress!, known.beginning.count) == 0
      {
        let number = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self))
        return known.fader.amplitude(Float(bitPattern: number)).map { (known.stage, $0) }
      }
      return nil
    }
  }

  /// A packet has been dealt with and what came of it is published, or it never goes to the policy.
  func leave() { state.withLock { $0.waiting -= 1 } }

  // MARK: On the policy's thread

  /// Takes the number of the level that was sent ahead of a peer's packet, which is to be decided on now.
  func takeSent(of peer: PeerAddress) -> UInt64? {
    state.withLock { state in
      guard let sent = state.sent, sent.peer == peer else { return nil }
      state.sent = nil
      return sent.serial
    }
  }

  /// Keeps a fader that moved a stage and did nothing else.
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

  /// Something else has happened.
  func forget() { state.withLock { $0.known = [] } }
}
