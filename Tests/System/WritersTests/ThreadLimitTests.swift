import Testing
import Threads

@Suite("Work with a time limit")
struct ThreadLimitTests {
  @Test("The caller waits for work that ends, and abandons work that hangs")
  func limit() {
    let gate = Semaphore()
    #expect(OwnThread.run("test-limit", within: 10) {})
    let start = MonotonicTime.now
    #expect(!OwnThread.run("test-limit", within: 0.05) { gate.wait() })
    #expect((0.05..<0.3).contains(MonotonicTime.now - start))
    gate.signal()
  }
}
