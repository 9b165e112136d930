import Chance
import Foundation
import JackClient
import JackHost
import JackServer
import MixEngine
import TestKit
import Testing

/// A search whose results a test can wait for.
private final class Search {
  private let seeker: ServerSeeker
  private let bell = DispatchSemaphore(value: 0)

  init(name: String, server: String, visit: ServerSeeker.Visit) {
    seeker = ServerSeeker(name: name, server: server, visit: visit) { [bell] in bell.signal() }
  }

  /// Waits for the next result; nil if none comes in time.
  func outcome(seconds: Double = 5) -> Result<JackBackend, JackError>? {
    let limit = DispatchTime.now() + seconds
    while true {
      if let outcome = seeker.take() { return outcome }
      guard bell.wait(timeout: limit) == .success else { return nil }
    }
  }

  func stop() { seeker.stop() }
}

/// Stops a process, and waits until all of its threads stand still: after the signal they go on for a moment, and a server still answers.
private func halt(_ process: Int32) {
  kill(process, SIGSTOP)
  let folder = "/proc/\(process)/task"
  func runs(_ thread: String) -> Bool {
    let status = (try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8)) ?? ""
    return status.split(separator: ")").last?.hasPrefix(" T") == false
  }
  while ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).contains(where: runs) {
    usleep(1_000)
  }
}

/// The search for a server, and its leaks.
@Suite struct ServerSeekerTests {
  @Test(
    "A server is joined within a tenth of a second of its start, and until then the search reports the reason"
  )
  func found() async throws {
    let host = try await PrivateServer()
    // A name that no server has had, because a server that has just ended may leave traces.
    await #expect(processExitsWith: .success) { [name = "\(host.name)-found" as String] in
      let seeker = Search(name: "multiroute", server: name, visit: .first)
      let first = seeker.outcome()
      guard case .failure(.noServer(name)) = first else {
        Issue.record("there is no server yet, and the search says: \(String(describing: first))")
        return
      }
      let server = DummyServer(DummyServer.Settings(name: name))
      // After the first second, in which the socket is tried every few milliseconds.
      #expect(seeker.outcome(seconds: 1.2) != nil)
      try server.start()
      let start = Date()
      var found: JackBackend?
      while found == nil, -start.timeIntervalSinceNow < 5 {
        if case .success(let backend) = seeker.outcome() { found = backend }
      }
      #expect(-start.timeIntervalSinceNow < 0.1)
      let engine = MixEngine(sampleRate: 48_000)
      try #require(found).start(engine.kernel)
      #expect(found?.clientName == "multiroute")
      found?.close()
    }
  }

  @Test("A returning client waits for its old name while a remnant holds it, and finally takes another name")
  func ghost() async throws {
    let host = try await PrivateServer()
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let ghost = try JackBackend(name: "multiroute", server: name)
      let stranger = Search(name: "multiroute", server: name, visit: .first)
      #expect(try stranger.outcome()?.get().clientName == "multiroute-01")
      stranger.stop()
      let returning = Search(name: "multiroute", server: name, visit: .afterLoss)
      #expect(returning.outcome(seconds: 0.5) == nil)
      ghost.close()
      let back = try #require(try returning.outcome()?.get())
      #expect(back.clientName == "multiroute")
      let late = Search(name: "multiroute", server: name, visit: .afterLoss)
      #expect(try late.outcome()?.get().clientName == "multiroute-01")
    }
  }

  @Test("A search ends at once, whether there is no server or one that does not answer")
  func stops() async throws {
    let host = try await PrivateServer()
    let identifier = try #require(host.server.processIdentifier)
    defer { kill(identifier, SIGCONT) }
    await #expect(processExitsWith: .success) {
      [name = host.name as String, identifier = identifier as Int32] in
      for isStopped in [false, true] {
        if isStopped { halt(identifier) }
        let seeker = Search(
          name: "multiroute", server: isStopped ? name : "mrtest-absent", visit: .first)
        _ = seeker.outcome(seconds: 0.2)
        let start = Date()
        seeker.stop()
        // An answer that does not come is awaited for seconds.
        #expect(-start.timeIntervalSinceNow < 1.5)
      }
    }
  }

  @Test(
    "Without a server the search leaves jackd's library alone, which would open the metadata of all servers")
  func untouchedLibrary() async {
    await #expect(processExitsWith: .success) {
      let seeker = Search(name: "multiroute", server: "mrtest-absent", visit: .first)
      for _ in 0..<2 {
        guard case .failure(.noServer("mrtest-absent")) = seeker.outcome() else {
          Issue.record("the search reports no missing server")
          return
        }
      }
      seeker.stop()
      #expect(JackMessages.take().isEmpty, "the library was called, and reported what it did not find")
    }
  }

  /// The resources of a process: descriptors, threads and private memory in bytes.
  private static func holdings() throws -> (descriptors: Int, threads: Int, bytes: Int) {
    let files = FileManager.default
    let status = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    let (resident, shared) = (Int(status[1]) ?? 0, Int(status[2]) ?? 0)
    return (
      try files.contentsOfDirectory(atPath: "/proc/self/fd").count,
      try files.contentsOfDirectory(atPath: "/proc/self/task").count, (resident - shared) * Int(getpagesize())
    )
  }

  /// Expects that many failed attempts leak nothing. Runs in a process of its own.
  fileprivate static func expectNothingLeft(by count: Int) async {
    await #expect(processExitsWith: .success) { [count] in
      func attempt() {
        #expect(throws: JackError.noServer("mrtest-absent")) {
          try JackBackend(name: "multiroute", server: "mrtest-absent")
        }
      }
      for _ in 0..<20 { attempt() }
      let before = try ServerSeekerTests.holdings()
      for _ in 0..<count { attempt() }
      let after = try ServerSeekerTests.holdings()
      #expect(after.descriptors == before.descriptors && after.threads == before.threads)
      #expect(after.bytes - before.bytes < 1 << 20, "\(before), \(after)")
    }
  }

  @Test("A hundred failed attempts leak nothing")
  func vainTries() async { await Self.expectNothingLeft(by: 100) }
}

/// The long version, for `make soak`.
@Suite(.enabled(if: Soak.isRunning))
struct ServerSeekerSoakTests {
  @Test("A thousand failed attempts leak nothing")
  func vainTries() async { await ServerSeekerTests.expectNothingLeft(by: 1_000) }
}
