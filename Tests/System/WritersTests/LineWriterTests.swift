import Glibc
import Synchronization
import Testing
import Threads

@testable import Writers

@Suite("A thread that writes lines")
struct LineWriterTests {
  /// The entries of a writer, and a gate at which it waits before each entry.
  private final class Slow: Sendable {
    let entries = Mutex<[LineWriter.Entry]>([])
    let gate = Semaphore()
    /// Signalled when the writer waits with an entry.
    let arrived = Semaphore()

    func write(_ entry: LineWriter.Entry) {
      arrived.signal()
      gate.wait()
      entries.withLock { $0.append(entry) }
    }
  }

  @Test("Lines of several threads stay whole, and each thread's lines stay in order")
  func order() {
    let lines = Mutex<[String]>([])
    let writer = LineWriter(name: "test-writer") { entry in
      if case .line(let line) = entry { lines.withLock { $0.append(line) } }
    }
    let threads = (0..<4).map { number in
      OwnThread("test-poster") { for count in 0..<500 { writer.post("\(number) \(count)") } }
    }
    for thread in threads { thread.join() }
    #expect(writer.finish(within: 10))
    let written = lines.withLock { $0 }
    #expect(written.count == 2_000)
    for number in 0..<4 {
      let own = written.filter { $0.hasPrefix("\(number) ") }
      #expect(own == (0..<500).map { "\(number) \($0)" })
    }
  }

  @Test("A full queue drops lines until half of it is written; the number of dropped lines is written once")
  func drops() {
    let slow = Slow()
    let writer = LineWriter(name: "test-writer", room: 40) { slow.write($0) }
    writer.post("first")
    slow.arrived.wait()
    // Nine bytes each, including the line end.
    let taken = (1...10).map { writer.post("line   \($0 % 10)") }
    #expect(taken.filter { $0 }.count == 4)
    #expect(!taken[4...].contains(true))
    // Room for one line is not enough to accept lines again.
    slow.gate.signal()
    slow.arrived.wait()
    #expect(!writer.post("too soon"))
    for _ in 0..<2 {
      slow.gate.signal()
      slow.arrived.wait()
    }
    #expect(writer.post("late"))
    for _ in 0..<8 { slow.gate.signal() }
    #expect(writer.finish(within: 10))
    #expect(
      slow.entries.withLock { $0 } == [
        .line("first"), .line("line   1"), .line("line   2"), .line("line   3"), .line("line   4"),
        .dropped(7), .line("late"),
      ])
  }

  @Test(
    "The number of dropped lines is written though no line comes after them, and a line without room is one of them"
  )
  func dropsAtTheEnd() {
    let slow = Slow()
    let writer = LineWriter(name: "test-writer", room: 10) { slow.write($0) }
    #expect(!writer.post("longer than ten bytes"))
    slow.arrived.wait()
    slow.gate.signal()
    #expect(writer.finish(within: 10))
    #expect(slow.entries.withLock { $0 } == [.dropped(1)])
  }

  @Test("A pipe without a reader blocks no caller, and the writer ends within the given time")
  func fullPipe() throws {
    let pipe = try Pipe()
    let file = LineFile(descriptor: pipe.writing)
    let lost = Atomic(0)
    let writer = LineWriter(name: "test-writer", room: 65_536) { entry in
      switch entry {
      case .line(let line): try? file.append(line)
      case .dropped(let count): lost.add(count, ordering: .relaxed)
      }
    }
    let line = String(repeating: "x", count: 999)
    // A caller that waited would wait for ever, because nobody reads.
    var dropped = 0
    for _ in 0..<1_000 where !writer.post(line) { dropped += 1 }
    // The pipe, the line that is being written and the queue hold 64 + 1 + 65 lines at most.
    #expect(dropped >= 1_000 - 135)
    #expect(!writer.finish(within: 0.1))
    #expect(!writer.post("after the end"))
    pipe.drop()
  }

  @Test("The writer reports how long the present write has taken")
  func secondsInWrite() {
    let slow = Slow()
    let writer = LineWriter(name: "test-writer") { slow.write($0) }
    #expect(writer.secondsInWrite == 0)
    let start = MonotonicTime.now
    writer.post("line")
    slow.arrived.wait()
    usleep(20_000)
    let seconds = writer.secondsInWrite
    // Read after the seconds, so that a pause of this thread between the two readings cannot matter.
    let sincePost = MonotonicTime.now - start
    #expect((0.01...sincePost).contains(seconds))
    slow.gate.signal()
    #expect(writer.finish(within: 10))
    #expect(writer.secondsInWrite == 0)
  }
}
