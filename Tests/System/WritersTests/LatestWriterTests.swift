import Synchronization
import Testing
import Threads

@testable import Writers

@Suite("A writer of the newest value")
struct LatestWriterTests {
  /// Each write waits at the gate.
  private final class SlowDisk: Sendable {
    let written = Mutex<[Int]>([])
    let (gate, arrived) = (Semaphore(), Semaphore())

    func write(_ value: Int) {
      arrived.signal()
      gate.wait()
      written.withLock { $0.append(value) }
    }
  }

  @Test("While a value is being written, later values replace each other")
  func newestWins() {
    let disk = SlowDisk()
    let writer = LatestWriter<Int>(name: "test-writer") { disk.write($0) }
    writer.post(1)
    disk.arrived.wait()
    for value in 2...9 { writer.post(value) }
    for _ in 0..<2 { disk.gate.signal() }
    #expect(writer.finish(within: 10))
    #expect(disk.written.withLock { $0 } == [1, 9])
  }

  @Test("A write that never ends is abandoned, and the waiting value is not written later")
  func leftBehind() {
    let disk = SlowDisk()
    let writer = LatestWriter<Int>(name: "test-writer") { disk.write($0) }
    writer.post(1)
    disk.arrived.wait()
    writer.post(2)
    #expect(!writer.finish(within: 0.05))
    for _ in 0..<2 { disk.gate.signal() }
    #expect(writer.finish(within: 10))
    #expect(disk.written.withLock { $0 } == [1])
  }
}
