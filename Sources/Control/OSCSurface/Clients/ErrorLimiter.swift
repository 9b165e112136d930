import ControlInterface
import OSC
import SessionModel

/// Limits the errors to a client to 100 a second, and those to a host to 400. One message then tells a client how many were suppressed.
struct ErrorLimiter: Sendable {
  private var clients: [Peer: Budget] = [:]
  private var hosts: [HostAddress: Budget] = [:]
  /// When `report` has messages; nil if no error to a client was suppressed.
  private(set) var nextReport: Double?
  /// When budgets of earlier seconds are removed.
  private var nextCleaning = 0.0

  /// Greatest number of errors per second and client.
  static let rate = 100
  /// Greatest number of errors per second and host. A host may send each command from another port.
  static let rateOfHost = 400

  private struct Budget: Sendable {
    var start: Double
    var sent = 0
    var suppressed = 0
    /// The address of the newest suppressed error.
    var address = ""

    func isOver(at time: Double) -> Bool { time - start >= 1 }

    /// Begins the next second and returns the report about the last one.
    mutating func renew(at time: Double) -> OSCMessage? {
      guard isOver(at: time) else { return nil }
      let (missed, address) = (suppressed, address)
      self = Budget(start: time)
      guard missed > 0 else { return nil }
      sent = 1
      return Surface.error(address, SessionError(.rateLimited, "\(missed) more errors were not sent"))
    }
  }

  /// The messages to send now, and whether the given error is among them.
  mutating func allow(
    _ failure: PacketTransaction.Failure, to peer: Peer, at time: Double
  ) -> (messages: [OSCMessage], isPassed: Bool) {
    var messages: [OSCMessage] = []
    let count = allowance(1, to: peer, at: time, of: failure.address, reports: &messages)
    if count == 1 { messages.append(Surface.error(failure.address, failure.error)) }
    return (messages, count == 1)
  }

  /// The number of messages that may be sent now; they count as errors do.
  mutating func allowance(_ count: Int, to peer: Peer, at time: Double) -> Int {
    var reports: [OSCMessage] = []
    return allowance(count, to: peer, at: time, of: "", reports: &reports)
  }

  private mutating func allowance(
    _ count: Int, to peer: Peer, at time: Double, of address: String, reports: inout [OSCMessage]
  ) -> Int {
    clean(at: time)
    var host = hosts[peer.host] ?? Budget(start: time)
    _ = host.renew(at: time)
    defer { hosts[peer.host] = host }
    // A client without a budget gets none while its host has no room, so that a host with thousands of ports fills no memory.
    guard host.sent < Self.rateOfHost || clients[peer] != nil else { return 0 }
    var client = clients[peer] ?? Budget(start: time)
    if let report = client.renew(at: time) { reports.append(report) }
    let allowed = max(0, min(count, Self.rate - client.sent, Self.rateOfHost - host.sent))
    client.sent += allowed
    host.sent += allowed
    if allowed < count, !address.isEmpty {
      client.suppressed += count - allowed
      client.address = address
      nextReport = min(nextReport ?? .infinity, client.start + 1)
    }
    clients[peer] = client
    return allowed
  }

  /// The reports to clients whose second is over.
  mutating func report(at time: Double) -> [(peer: Peer, message: OSCMessage)] {
    guard let next = nextReport, next <= time else { return [] }
    var reports: [(peer: Peer, message: OSCMessage)] = []
    for peer in Array(clients.keys) where clients[peer]!.suppressed > 0 {
      if let message = clients[peer]!.renew(at: time) { reports.append((peer, message)) }
    }
    nextReport = clients.values.lazy.filter { $0.suppressed > 0 }.map { $0.start + 1 }.min()
    return reports
  }

  /// Removes the budgets of earlier seconds, once a second.
  private mutating func clean(at time: Double) {
    guard time >= nextCleaning else { return }
    nextCleaning = time + 1
    clients = clients.filter { $0.value.suppressed > 0 || !$0.value.isOver(at: time) }
    hosts = hosts.filter { !$0.value.isOver(at: time) }
  }
}
