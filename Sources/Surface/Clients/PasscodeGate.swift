import OSC
import Parameters
import SessionModel

/// Rights that passcodes gave to hosts, and the wait after wrong ones (osc contract, section 5).
struct PasscodeGate: Sendable {
  /// Never lapses.
  private var raised: [UInt32: Right] = [:]
  private var wrong: [UInt32: (count: Int, end: Double)] = [:]

  /// Wrong passcodes that cost a host a wait.
  private static let patience = 3
  /// Seconds of the wait.
  private static let wait = 10.0

  func right(of peer: PeerAddress) -> Right { raised[peer.host] ?? .none }

  mutating func raise(_ peer: PeerAddress, to right: Right) {
    raised[peer.host] = max(raised[peer.host] ?? .none, right)
    wrong[peer.host] = nil
  }

  /// The right that a passcode gives.
  /// - Throws: `SessionError` denied when it is wrong, or while the host has to wait.
  mutating func check(
    _ passcode: String, of peer: PeerAddress, among passcodes: [String: Right], at time: Double
  ) throws(SessionError) -> Right {
    var (count, end) = wrong[peer.host] ?? (0, 0)
    if count >= Self.patience {
      guard time >= end else {
        throw SessionError(
          .denied, "three wrong passcodes: \(peer.hostText) waits \(Int((end - time).rounded(.up))) s")
      }
      count = 0
    }
    if let right = passcodes[passcode] { return right }
    end = time + Self.wait
    wrong[peer.host] = (count + 1, end)
    throw SessionError(.denied, "the passcode is wrong")
  }
}
