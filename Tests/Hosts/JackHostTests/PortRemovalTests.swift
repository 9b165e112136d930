import JackServer
import ServerInterface
import Synchronization
import TestKit
import Testing
import Threads

@testable import JackClient

@Suite struct PortRemovalTests {
  @Test("Each port is removed while the notification thread is held, whatever other clients cause meanwhile")
  func removalDuringLatencies() async throws {
    let host = try await PrivateServer()
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let (client, other) = (
        try JackClient(name: "ports", server: name), try JackClient(name: "latencies", server: name)
      )
      try client.activate()
      try other.activate()
      let isOver = Atomic<Bool>(false)
      nonisolated(unsafe) let recomputing = other
      let thread = OwnThread("latencies") {
        while !isOver.load(ordering: .relaxed) { try? recomputing.publishLatencies(JackLatencyMap()) }
      }
      let ports = try (0..<200).map { try client.registerPort("p\($0)", .input) }
      for index in ports.indices {
        // The delay differs from port to port, so that the other client's request is under way at some.
        OwnThread.sleep(seconds: Double((index * 37) % 100) * 3e-6)
        #expect(client.unregisterPort(ports[(index * 77) % ports.count]))
      }
      isOver.store(true, ordering: .relaxed)
      thread.join()
      #expect(client.ports().isEmpty)
      client.close()
      other.close()
    }
  }

  @Test("The notification thread returns when the work is done, and not before")
  func holdLastsAsLongAsTheWork() {
    let (pause, requested) = (NoticePause(), Semaphore())
    let isOver = Atomic<Bool>(false)
    let thread = OwnThread("notices") {
      requested.wait()
      pause.holdIfRequested()
      isOver.store(true, ordering: .releasing)
    }
    let isHeld = pause.duringPause {
      requested.signal()
      return true
    } _: {
      let end = MonotonicTime.now + 0.01
      while MonotonicTime.now < end {}
      let isOverEarly = isOver.load(ordering: .acquiring)
      #expect(!isOverEarly)
    }
    thread.join()
    #expect(isHeld)
  }

  @Test("A working thread that waits for the server does not hold the notification thread")
  func serverNeedsTheNotificationThread() {
    let (pause, requested) = (NoticePause(), Semaphore())
    let answered = Semaphore()
    let thread = OwnThread("notices") {
      requested.wait()
      pause.holdIfRequested()
      answered.signal()
    }
    _ = pause.duringPause {
      requested.signal()
      return true
    } _: {
      #expect(answered.wait(seconds: 10))
    }
    thread.join()
  }

  @Test("Work is done also where the server sends no notice")
  func noNotice() {
    var count = 0
    #expect(
      !NoticePause().duringPause {
        false
      } _: {
        count += 1
      })
    #expect(count == 1)
  }
}
