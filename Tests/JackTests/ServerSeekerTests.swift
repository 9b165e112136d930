import Foundation
import JackBackend
import JackClient
import MixEngine
import StageKit
import TestKit
import Testing

/// The search for a server, and what it leaves behind.
@Suite(.repeatedAfterStalls) struct ServerSeekerTests {
  /// Waits for what a search comes to.
  private static func outcome(_ seeker: ServerSeeker, seconds: Double = 5) -> Result<JackBackend, JackError>?
  {
    let limit = Date(timeIntervalSinceNow: seconds)
    while Date() < limit {
      if let outcome = seeker.take() { return outcome }
      usleep(1_000)
    }
    return nil
  }

  @Test("A server that starts is joined within a tenth of a second, and why not before is told")
  func found() async throws {
    let host = try await PrivateServer()
    host.server.stop()
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let seeker = ServerSeeker(name: "multiroute", server: name, isReturning: false)
      guard case .failure(.noServer(name)) = ServerSeekerTests.outcome(seeker) else {
        Issue.record("there is no server yet")
        return
      }
      let server = DummyServer(DummyServer.Settings(name: name))
      // Past the first second, in which the socket is looked at every few milliseconds.
      #expect(ServerSeekerTests.outcome(seeker, seconds: 1.2) != nil)
      try server.start()
      let start = Date()
      var found: JackBackend?
      while found == nil, -start.timeIntervalSinceNow < 5 {
        if case .success(let backend) = ServerSeekerTests.outcome(seeker) { found = backend }
      }
      #expect(-start.timeIntervalSinceNow < 0.1)
      let engine = MixEngine(sampleRate: 48_000)
      try #require(found).start(engine.kernel)
      #expect(found?.clientName == "multiroute")
      found?.close()
    }
  }

  @Test("Who returns waits for its name while a ghost has it, and takes another one in the end")
  func ghost() async throws {
    let host = try await PrivateServer()
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let ghost = try JackBackend(name: "multiroute", server: name)
      let stranger = ServerSeeker(name: "multiroute", server: name, isReturning: false)
      #expect(try ServerSeekerTests.outcome(stranger)?.get().clientName == "multiroute-01")
      stranger.stop()
      let returning = ServerSeeker(name: "multiroute", server: name, isReturning: true)
      #expect(ServerSeekerTests.outcome(returning, seconds: 0.5) == nil)
      ghost.close()
      let back = try #require(try ServerSeekerTests.outcome(returning)?.get())
      #expect(back.clientName == "multiroute")
      let late = ServerSeeker(name: "multiroute", server: name, isReturning: true)
      #expect(try ServerSeekerTests.outcome(late)?.get().clientName == "multiroute-01")
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
        if isStopped { kill(identifier, SIGSTOP) }
        let seeker = ServerSeeker(
          name: "multiroute", server: isStopped ? name : "mrtest-nobody", isReturning: false)
        _ = ServerSeekerTests.outcome(seeker, seconds: 0.2)
        let start = Date()
        seeker.stop()
        #expect(-start.timeIntervalSinceNow < 0.6)
      }
    }
  }

  /// What a process holds: descriptors, threads, and bytes of its own.
  private static func holdings() throws -> (descriptors: Int, threads: Int, bytes: Int) {
    let files = FileManager.default
    let status = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    let (resident, shared) = (Int(status[1]) ?? 0, Int(status[2]) ?? 0)
    return (
      try files.contentsOfDirectory(atPath: "/proc/self/fd").count,
      try files.contentsOfDirectory(atPath: "/proc/self/task").count, (resident - shared) * Int(getpagesize())
    )
  }

  /// Expects that many vain tries leave nothing behind, in a process of their own.
  fileprivate static func expectNothingLeft(by count: Int) async {
    await #expect(processExitsWith: .success) { [count] in
      func attempt() {
        #expect(throws: JackError.noServer("mrtest-nobody")) {
          try JackBackend(name: "multiroute", server: "mrtest-nobody")
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

  @Test("A hundred vain tries leave nothing behind")
  func vainTries() async { await Self.expectNothingLeft(by: 100) }
}

/// The long version; `make soak` runs it.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["MULTIROUTE_SOAK"] != nil))
struct ServerSeekerSoakTests {
  @Test("A thousand vain tries leave nothing behind")
  func vainTries() async { await ServerSeekerTests.expectNothingLeft(by: 1_000) }
}
