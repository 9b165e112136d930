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
    #expect(MonotonicTime.now - start >= 0.05)
    gate.signal()
  }
}
