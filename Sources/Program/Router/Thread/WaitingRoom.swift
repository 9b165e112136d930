import SystemCalls

/// Waits for several descriptors, for a call of `wake` and for a time, all through one epoll descriptor.
final class WaitingRoom: Sendable {
  private let all: Int32
  private let bell: Int32
  private let clock: Int32

  init() {
    do throws(SystemError) {
      (all, bell, clock) = (
        try System.epoll_create1(), try System.eventfd(), try System.timerfd_create()
      )
      try System.epoll_ctl(all, watch: bell, for: .readable, key: UInt64(bell))
      try System.epoll_ctl(all, watch: clock, for: .readable, key: UInt64(clock))
    } catch {
      fatalError("the policy thread cannot wait: \(error)")
    }
  }

  deinit { for descriptor in [all, bell, clock] { System.close(descriptor) } }

  /// Ends the present wait, or the next one. Any thread.
  func wake() { System.eventfd_write(bell) }

  /// Adds a descriptor to wait for. Any thread.
  func add(_ descriptor: Int32) {
    try? System.epoll_ctl(all, watch: descriptor, for: .readable, key: UInt64(descriptor))
  }

  /// Removes a descriptor. Any thread.
  func remove(_ descriptor: Int32) { System.epoll_ctl(all, forget: descriptor) }

  /// Waits for a descriptor, for `wake` or for a time. Only one thread may call this.
  /// - Parameter due: end of the wait, in seconds of the monotonic clock; nil waits without end.
  /// - Returns: the added descriptors that are readable.
  func wait(until due: Double?) -> [Int32] {
    try? System.timerfd_settime(clock, due: due)
    let ready = (try? System.epoll_wait(all, milliseconds: -1)) ?? []
    return ready.compactMap { event in
      let descriptor = Int32(truncatingIfNeeded: event.key)
      guard descriptor == bell || descriptor == clock else { return descriptor }
      System.eventfd_read(descriptor)
      return nil
    }
  }
}
