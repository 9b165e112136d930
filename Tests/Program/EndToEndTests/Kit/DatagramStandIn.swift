import SystemCalls

/// A Unix socket that stands for one of systemd's: it keeps what arrives until the test takes it.
final class DatagramStandIn {
  private let descriptor: Int32

  init(path: String) throws {
    descriptor = try System.socket(.unix, .datagram)
    try System.bind(descriptor, to: .unix(path: path))
  }

  deinit { System.close(descriptor) }

  /// The lines of the next datagram; nil if none comes in time.
  func next(within seconds: Double = 10) throws -> [String]? {
    guard try System.poll(descriptor, milliseconds: Int32(seconds * 1_000)) else { return nil }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let text = try buffer.withUnsafeMutableBytes { buffer in
      try System.recvfrom(descriptor, into: buffer, waits: false).map {
        String(decoding: buffer.prefix($0.size), as: UTF8.self)
      }
    }
    return text?.split(separator: "\n").map(String.init)
  }

  /// The lines of the first datagram from now on that satisfies a condition; nil if none comes within ten seconds.
  func first(where condition: ([String]) -> Bool) throws -> [String]? {
    let end = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < end, let lines = try next() {
      if condition(lines) { return lines }
    }
    return nil
  }

  /// Throws away what has arrived.
  func drain() throws { while try next(within: 0) != nil {} }
}
