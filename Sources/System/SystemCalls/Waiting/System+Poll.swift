import Glibc

/// What a descriptor is waited for (poll(2)).
public struct PollEvents: OptionSet, Hashable, Sendable {
  public let rawValue: Int16
  public init(rawValue: Int16) { self.rawValue = rawValue }

  public static let readable = PollEvents(rawValue: Int16(POLLIN))
  public static let writable = PollEvents(rawValue: Int16(POLLOUT))
}

extension System {
  /// Waits until a descriptor is readable or hangs up. Returns that for each descriptor; all false when the
  /// time is over.
  ///
  /// - Parameters:
  ///   - descriptors: negative ones never become ready.
  ///   - milliseconds: the time limit; a negative number means no limit.
  public static func poll(_ descriptors: [Int32], milliseconds: Int32) throws(SystemError) -> [Bool] {
    try poll(descriptors.map { ($0, .readable) }, milliseconds: milliseconds)
  }

  /// Waits until a descriptor is ready for its events or hangs up. Returns that for each descriptor; all false when the time is over.
  ///
  /// - Parameter milliseconds: the time limit; a negative number means no limit.
  public static func poll(
    _ awaited: [(descriptor: Int32, events: PollEvents)], milliseconds: Int32
  ) throws(SystemError) -> [Bool] {
    var requests = awaited.map { pollfd(fd: $0.descriptor, events: $0.events.rawValue, revents: 0) }
    let count = try wait("poll", milliseconds: milliseconds) { rest in
      Glibc.poll(&requests, nfds_t(requests.count), rest)
    }
    return count > 0 ? requests.map { $0.revents != 0 } : awaited.map { _ in false }
  }

  /// Waits until one descriptor is readable or hangs up; false when the time is over.
  ///
  /// - Parameter milliseconds: the time limit; a negative number means no limit.
  public static func poll(_ descriptor: Int32, milliseconds: Int32) throws(SystemError) -> Bool {
    try wait("poll", milliseconds: milliseconds) { rest in
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return Glibc.poll(&request, 1, rest)
    } > 0
  }
}
