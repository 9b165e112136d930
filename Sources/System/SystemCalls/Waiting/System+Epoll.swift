import CLinux
import Glibc

/// The events that a descriptor is watched for, or that have occurred.
public struct EpollEvents: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let readable = EpollEvents(rawValue: EPOLLIN.rawValue)
  public static let writable = EpollEvents(rawValue: EPOLLOUT.rawValue)
  /// The other end is closed. Always watched.
  public static let hungUp = EpollEvents(rawValue: EPOLLHUP.rawValue)
  /// An error occurred. Always watched.
  public static let failed = EpollEvents(rawValue: EPOLLERR.rawValue)
  /// Reports a change once, not for as long as the new state lasts.
  public static let edgeTriggered = EpollEvents(rawValue: EPOLLET.rawValue)
}

/// A descriptor that became ready.
public struct EpollReady: Hashable, Sendable {
  /// The number that `epoll_ctl` gave the descriptor.
  public var key: UInt64
  public var events: EpollEvents

  public init(key: UInt64, events: EpollEvents) { (self.key, self.events) = (key, events) }
}

extension System {
  /// Makes a descriptor that waits for many others.
  public static func epoll_create1() throws(SystemError) -> Int32 {
    try check("epoll_create1", CLinux.epoll_create1(Int32(EPOLL_CLOEXEC)))
  }

  /// Starts to watch a descriptor, or changes the events that it is watched for.
  ///
  /// - Parameters:
  ///   - key: `epoll_wait` returns it.
  ///   - isKnown: whether the descriptor is already watched.
  public static func epoll_ctl(
    _ epoll: Int32, watch descriptor: Int32, for events: EpollEvents, key: UInt64, isKnown: Bool = false
  ) throws(SystemError) {
    var event = epoll_event(events: events.rawValue, data: epoll_data_t(u64: key))
    let operation = isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD
    try check("epoll_ctl", CLinux.epoll_ctl(epoll, Int32(operation), descriptor, &event))
  }

  /// Stops watching a descriptor; one that is not watched is ignored. Closing a descriptor has the same
  /// effect.
  public static func epoll_ctl(_ epoll: Int32, forget descriptor: Int32) {
    _ = CLinux.epoll_ctl(epoll, Int32(EPOLL_CTL_DEL), descriptor, nil)
  }

  /// Waits until a descriptor is ready. Returns at most `limit` ready descriptors, none when the time is
  /// over.
  ///
  /// - Parameter milliseconds: the time limit; a negative number means no limit.
  public static func epoll_wait(
    _ epoll: Int32, limit: Int = 16, milliseconds: Int32
  ) throws(SystemError) -> [EpollReady] {
    var ready: [EpollReady] = []
    var failure: SystemError?
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: limit) { buffer in
      do throws(SystemError) {
        let count = try wait("epoll_wait", milliseconds: milliseconds) { rest in
          CLinux.epoll_wait(epoll, buffer.baseAddress, Int32(limit), rest)
        }
        ready = buffer[..<Int(count)].map {
          EpollReady(key: $0.data.u64, events: EpollEvents(rawValue: $0.events))
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return ready
  }
}
