import Foundation
import Spawn
import TestKit
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

  @Test("A program that somebody still writes is started when he has let go of it")
  func busy() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("#!/bin/sh\nexit 7\n", to: "program")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    let (toWriter, fromWriter) = (Pipe(), Pipe())
    let writer = try ChildSpawn(
      path: "sh", arguments: ["sh", "-c", "exec 3>> \(path); echo ready; read line"],
      input: toWriter.fileHandleForReading.fileDescriptor,
      output: fromWriter.fileHandleForWriting.fileDescriptor, error: 2
    ).start().get()
    #expect(fromWriter.fileHandleForReading.availableData == Data("ready\n".utf8))
    nonisolated(unsafe) var result: Result<Int32, ChildSpawn.Failure>?
    let started = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      result = ChildSpawn(path: path, arguments: [path], input: 0, output: 1, error: 2).start()
      started.signal()
    }
    #expect(started.wait(timeout: .now() + 0.05) == .timedOut)
    try toWriter.fileHandleForWriting.write(contentsOf: Data("enough\n".utf8))
    started.wait()
    var status: Int32 = 0
    waitpid(try #require(result).get(), &status, 0)
    #expect(status >> 8 == 7)
    waitpid(writer, &status, 0)
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
