import SystemCalls
import Testing

@Suite struct WaitingTests {
  @Test("A wait for several descriptors returns which of them is ready, and ignores negative ones")
  func poll() throws {
    let (left, right) = try System.socketpair()
    defer { System.close(left) }
    #expect(try System.poll([right, -1], milliseconds: 0) == [false, false])
    try System.write(left, [1])
    #expect(try System.poll([-1, right], milliseconds: -1) == [false, true])
    System.close(right)
    // The other end is closed.
    #expect(try System.poll(left, milliseconds: -1))
  }

  @Test("A wait ends when its time is over")
  func patience() throws {
    let counter = try System.eventfd()
    defer { System.close(counter) }
    let start = ContinuousClock.now
    #expect(try !System.poll(counter, milliseconds: 20))
    #expect(ContinuousClock.now - start >= .milliseconds(20))
  }

  @Test("A counter is readable until it is taken")
  func counter() throws {
    let counter = try System.eventfd()
    defer { System.close(counter) }
    #expect(System.eventfd_read(counter) == 0)
    System.eventfd_write(counter)
    System.eventfd_write(counter, 2)
    #expect(try System.poll(counter, milliseconds: 0))
    #expect(System.eventfd_read(counter) == 3)
    #expect(try !System.poll(counter, milliseconds: 0))
  }

  @Test("One descriptor waits for many others, and reports each by its key")
  func epoll() throws {
    let epoll = try System.epoll_create1()
    let counters = try (0..<3).map { _ in try System.eventfd() }
    defer { (counters + [epoll]).forEach(System.close) }
    for (index, counter) in counters.enumerated() {
      try System.epoll_ctl(epoll, watch: counter, for: .readable, key: UInt64(10 + index))
    }
    #expect(try System.epoll_wait(epoll, milliseconds: 0) == [])
    System.eventfd_write(counters[1])
    #expect(try System.epoll_wait(epoll, milliseconds: -1) == [EpollReady(key: 11, events: .readable)])
    try System.epoll_ctl(epoll, watch: counters[1], for: .writable, key: 99, isKnown: true)
    #expect(try System.epoll_wait(epoll, milliseconds: -1) == [EpollReady(key: 99, events: .writable)])
    System.epoll_ctl(epoll, forget: counters[1])
    #expect(try System.epoll_wait(epoll, milliseconds: 0) == [])
    for counter in counters { System.eventfd_write(counter) }
    #expect(try System.epoll_wait(epoll, limit: 1, milliseconds: -1).count == 1)
    #expect(throws: SystemError("epoll_ctl", .exists)) {
      try System.epoll_ctl(epoll, watch: counters[0], for: .readable, key: 1)
    }
  }

  @Test("A timer is readable once its time has come, at once for a time that is over, and never without one")
  func timer() throws {
    let timer = try System.timerfd_create()
    defer { System.close(timer) }
    try System.timerfd_settime(timer, due: 0)
    #expect(try System.poll(timer, milliseconds: 5_000))
    #expect(System.eventfd_read(timer) == 1)
    try System.timerfd_settime(timer, due: 1)
    try System.timerfd_settime(timer, due: nil)
    #expect(try !System.poll(timer, milliseconds: 10))
  }
}
