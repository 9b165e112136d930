import ControlInterface

/// Limits the lines of the log about connections of hosts.
struct NoticeLimiter {
  private struct Key: Hashable {
    let host: HostAddress
    let kind: Int
  }

  private var told: [Key: Double] = [:]
  /// Greatest number of hosts and kinds that are remembered.
  private static let capacity = 256

  /// Whether a line of a kind may be told about a host now. If so, the next one may be told after some seconds.
  mutating func mayTell(_ kind: Int, of host: HostAddress, every seconds: Double, at time: Double) -> Bool {
    let key = Key(host: host, kind: kind)
    if let last = told[key], time - last < seconds { return false }
    if told.count >= Self.capacity { told = [:] }
    told[key] = time
    return true
  }
}
