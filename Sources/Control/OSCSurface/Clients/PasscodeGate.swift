import ControlInterface
import OSC
import Parameters
import SessionModel

/// Permissions that hosts got by passcodes, and the wait after wrong passcodes (docs/develop/law/osc.md#14-rights).
struct PasscodeGate: Sendable {
  /// The permissions by host; they do not expire.
  private var raised: [HostAddress: Right] = [:]
  /// The wrong passcodes of the last seconds, and when their count ends.
  private var wrong: [Attempt: (count: Int, end: Double)] = [:]

  /// A host, and the permission that it had when it sent a wrong passcode. A correct passcode of a lower permission must not give further
  /// tries for a higher one, so only time ends a count.
  private struct Attempt: Hashable {
    let host: HostAddress
    let right: Right
  }

  /// Number of wrong passcodes after which a host must wait.
  private static let patience = 3
  /// Length of the wait in seconds. A count ends that long after the last wrong passcode.
  private static let wait = 10.0

  func right(of peer: Peer) -> Right { right(of: peer.host) }

  func right(of host: HostAddress) -> Right { raised[host] ?? .none }

  mutating func raise(_ peer: Peer, to right: Right) {
    raised[peer.host] = max(raised[peer.host] ?? .none, right)
  }

  /// The permission that a passcode gives.
  ///
  /// - Parameter own: the permission that the host has.
  /// - Throws: `SessionError` denied if the passcode is wrong, or while the host must wait.
  mutating func check(
    _ passcode: String, of peer: Peer, with own: Right, among passcodes: [String: Right], at time: Double
  ) throws(SessionError) -> Right {
    wrong = wrong.filter { time < $0.value.end }
    let attempt = Attempt(host: peer.host, right: own)
    let count = wrong[attempt]?.count ?? 0
    if let end = wrong[attempt]?.end, count >= Self.patience {
      throw SessionError(
        .denied, "three wrong passcodes: \(peer.host) must wait \(Int((end - time).rounded(.up))) s")
    }
    if let right = Self.right(of: passcode, among: passcodes) {
      let raised = Attempt(host: peer.host, right: right)
      if let before = wrong[attempt], before.count > wrong[raised]?.count ?? 0 { wrong[raised] = before }
      return right
    }
    wrong[attempt] = (count + 1, time + Self.wait)
    throw SessionError(.denied, "the passcode is wrong")
  }

  /// Compares with all passcodes, and all bytes of each, so that the time of the answer tells nothing about them.
  private static func right(of passcode: String, among passcodes: [String: Right]) -> Right? {
    let sent = Array(passcode.utf8)
    var found: Right?
    for (code, right) in passcodes {
      let code = Array(code.utf8)
      var difference = UInt8(code.count == sent.count ? 0 : 1)
      for index in code.indices { difference |= code[index] ^ (index < sent.count ? sent[index] : 0) }
      if difference == 0 { found = right }
    }
    return found
  }
}
