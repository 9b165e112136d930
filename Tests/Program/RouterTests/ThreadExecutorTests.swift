import Synchronization
import SystemCalls
import Testing
import Threads

@testable import Router

/// The policy thread: one place to wait for posted work, descriptors and times.
@Suite struct ThreadExecutorTests {
  @Test("An executor does the work that waits before it ends, and a second stop does nothing")
  func stoppedTwice() {
    let executor = ThreadExecutor(name: "mr-test")
    let done = Mutex<[Int]>([])
    for number in 0..<100 {
      #expect(executor.post(limit: .max) { done.withLock { $0.append(number) } })
    }
    executor.stop()
    #expect(done.withLock(\.self) == Array(0..<100))
    executor.stop()
  }

  @Test("Several threads may stop an executor at the same time")
  func stoppedByMany() {
    let executor = ThreadExecutor(name: "mr-test")
    let threads = (0..<4).map { _ in OwnThread("mr-stop") { executor.stop() } }
    for thread in threads { thread.join() }
  }

  @Test("Work that comes while too much waits is refused")
  func limit() {
    let executor = ThreadExecutor(name: "mr-test")
    let (blocked, mayGoOn) = (Semaphore(), Semaphore())
    _ = executor.post(limit: .max) {
      blocked.signal()
      mayGoOn.wait()
    }
    blocked.wait()
    #expect(executor.post(limit: 1) {})
    #expect(!executor.post(limit: 1) {})
    mayGoOn.signal()
    executor.stop()
  }

  @Test("A readable descriptor wakes the thread until it is no longer watched")
  func watch() throws {
    let executor = ThreadExecutor(name: "mr-test")
    let (descriptor, seen) = (try System.eventfd(), Semaphore())
    defer { System.close(descriptor) }
    executor.watch(descriptor) {
      System.eventfd_read(descriptor)
      seen.signal()
    }
    for _ in 0..<3 {
      System.eventfd_write(descriptor)
      #expect(seen.wait(seconds: 5))
    }
    executor.unwatch(descriptor)
    System.eventfd_write(descriptor)
    executor.stop()
    #expect(!seen.wait(seconds: 0))
  }

  @Test("The routine is performed when it is due, and not before or without need")
  func routine() {
    let executor = ThreadExecutor(name: "mr-test")
    let performed = Mutex<[Double]>([])
    let first = MonotonicTime.now + 0.05
    let finished = Semaphore()
    executor.follow(
      ThreadExecutor.Routine(
        due: { performed.withLock { $0.count < 3 ? first + 0.02 * Double($0.count) : nil } },
        perform: {
          let count = performed.withLock {
            $0.append(MonotonicTime.now)
            return $0.count
          }
          if count == 3 { finished.signal() }
        }))
    #expect(finished.wait(seconds: 5))
    // A wake-up for other work does not perform the routine.
    let other = Semaphore()
    _ = executor.post(limit: .max) { other.signal() }
    other.wait()
    executor.stop()
    let times = performed.withLock(\.self)
    #expect(times.count == 3)
    for (number, time) in times.enumerated() { #expect(time >= first + 0.02 * Double(number)) }
  }
}
