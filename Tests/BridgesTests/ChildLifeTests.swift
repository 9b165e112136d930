import Foundation
import Spawn
import Testing

/// Children that are bound to the life of the thread that started them.
@Suite struct ChildLifeTests {
  /// Starts `sleep` on a thread that ends at once; its process id.
  private func child(endsWithThread: Bool) throws -> Int32 {
    let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(nowhere) }
    nonisolated(unsafe) var result: Result<Int32, ChildSpawn.Failure>?
    let started = DispatchSemaphore(value: 0)
    let thread = Thread {
      result = ChildSpawn(
        path: "sleep", arguments: ["sleep", "60"], input: nowhere, output: nowhere, error: nowhere,
        endsWithThread: endsWithThread
      ).start()
      started.signal()
    }
    thread.start()
    started.wait()
    return try #require(result).get()
  }

  /// Waits for the end of a child; the signal that ended it, nil if it still runs after some seconds.
  private func end(of child: Int32, seconds: Double) throws -> Int32? {
    let descriptor = try #require(ChildSpawn.endDescriptor(of: child))
    defer { close(descriptor) }
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, Int32(seconds * 1_000)) == 1 else { return nil }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    return status & 0x7f
  }

  @Test("A child that is bound to its thread is killed when the thread ends; another one is not")
  func bound() throws {
    #expect(try end(of: child(endsWithThread: true), seconds: 10) == SIGKILL)
    let free = try child(endsWithThread: false)
    #expect(try end(of: free, seconds: 0.3) == nil)
    kill(free, SIGTERM)
    #expect(try end(of: free, seconds: 10) == SIGTERM)
  }

  @Test("A program that is not there, or is none, is told by the system's own number")
  func missing() {
    func start(_ path: String) -> Int32? {
      let result = ChildSpawn(path: path, arguments: [path], input: 0, output: 1, error: 2).start()
      if case .failure(let failure) = result { return failure.code }
      return nil
    }
    #expect(start("multiroute-nobody") == ENOENT)
    #expect(start("/") == EACCES)
  }
}
