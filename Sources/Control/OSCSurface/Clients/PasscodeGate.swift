import ControlInterface
import OSC
import Parameters
import SessionModel

/// Permissions that hosts got by passcodes, and the wait after wrong passcodes (docs/law/osc.md#14-rights).
struct PasscodeGate: Sendable {
  /// The permissions by host; they do not expire.
  private var raised: [HostAddress: Right] = [:]
  private var wrong: [HostAddress: (count: Int, end: Double)] = [:]

  /// Number of wrong passcodes after which a host must wait.
  private static let patience = 3
  /// Length of the wait in seconds.
  private static let wait = 10.0

  func right(of peer: Peer) -> Right { raised[peer.host] ?? .none }

  mutating func raise(_ peer: Peer, to right: Right) {
    raised[peer.host] = max(raised[peer.host] ?? .none, right)
    wrong[peer.host] = nil
  }

  /// The permission that a passcode gives.
  /// - Throws: `SessionError` denied if the passcode is wrong, or while the host must wait.
  mutating func check(
    _ passcode: String, of peer: Peer, among passcodes: [String: Right], at time: Double
  ) throws(SessionError) -> Right {
    var (count, end) = wrong[peer.host] ?? (0, 0)
    if count >= Self.patience {
      guard time >= end else {
        throw SessionError(
          .denied, "three wrong passcodes: \(peer.host) must wait \(Int((end - time).rounded(.up))) s")
      }
      count = 0
    }
    if let right = passcodes[passcode] { return right }
    end = time + Self.wait
    wrong[peer.host] = (count + 1, end)
    throw SessionError(.denied, "the passcode is wrong")
  }
}
