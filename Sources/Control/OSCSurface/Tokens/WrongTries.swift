import ControlInterface
import SessionModel

/// The wrong tokens of hosts: after three, a host must wait ten seconds.
struct WrongTries: Sendable {
  private var tries: [HostAddress: (count: Int, end: Double)] = [:]

  private static let (patience, wait) = (3, 10.0)

  /// - Throws: `SessionError` denied while the host must wait.
  mutating func check(_ host: HostAddress, at time: Double, noun: String) throws(SessionError) {
    tries = tries.filter { time < $0.value.end }
    guard let known = tries[host], known.count >= Self.patience else { return }
    let seconds = Int((known.end - time).rounded(.up))
    throw SessionError(.denied, "three wrong \(noun): \(host) must wait \(seconds) s")
  }

  mutating func note(_ host: HostAddress, at time: Double) {
    tries[host] = ((tries[host]?.count ?? 0) + 1, time + Self.wait)
  }
}
