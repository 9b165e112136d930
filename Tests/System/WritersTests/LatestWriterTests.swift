import Synchronization
import Testing
import Threads

@testable import Writers

@Suite("A writer of the newest value")
struct LatestWriterTests {
  @Test("While a value is being written, later values replace each other")
  func newestWins() {
    let written = Mutex<[Int]>([])
    let (gate, arrived) = (Semaphore(), Semaphore())
    let writer = LatestWriter<Int>(name: "test-writer") { value in
      arrived.signal()
      gate.wait()
      written.withLock { $0.append(value) }
    }
    writer.post(1)
    arrived.wait()
    for value in 2...9 { writer.post(value) }
    for _ in 0..<2 { gate.signal() }
    #expect(writer.finish(within: 10))
    #expect(written.withLock { $0 } == [1, 9])
  }

  @Test("A write that never ends is abandoned, and the waiting value is not written later")
  func leftBehind() {
    let written = Mutex<[Int]>([])
    let (gate, arrived) = (Semaphore(), Semaphore())
    let writer = LatestWriter<Int>(name: "test-writer") { value in
      arrived.signal()
      gate.wait()
      written.withLock { $0.append(value) }
    }
    writer.post(1)
    arrived.wait()
    writer.post(2)
    let start = MonotonicTime.now
    #expect(!writer.finish(within: 0.05))
    #expect(MonotonicTime.now - start < 0.25)
    for _ in 0..<2 { gate.signal() }
    #expect(writer.finish(within: 10))
    #expect(written.withLock { $0 } == [1])
  }
}
