import CRealtime
import JackClient
import TestKit
import Testing

/// Shows that the sanitizer watches process callbacks on a server. In the same build the tests of the backend
/// and of the devices then show that our callbacks are clean.
@Suite(.enabled(if: mr_rt_is_watched())) struct LiveRealtimeSanitizerTests {
  @Test("A process callback that allocates ends the program on a live server: the check can fail")
  func allocation() async throws {
    let host = try await PrivateServer()
    await #expect(processExitsWith: .failure) { [name = host.name as String] in
      try run(server: name, allocateInCycle)
    }
  }

  @Test("The same allocation outside the watched stretch passes")
  func outside() async throws {
    let host = try await PrivateServer()
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let client = try JackClient(name: "outside", server: name)
      try client.setProcess(allocateOutsideCycle, client.cycle)
      try client.activate()
      while client.cycle.pointee.cycles < 10 { waitReadable(client.wakeDescriptor, milliseconds: 5) }
      client.close()
    }
  }
}

/// Processes ten periods, unless the program ends before.
private func run(server: String, _ callback: JackProcessCallback) throws {
  let client = try JackClient(name: "inside", server: server)
  try client.setProcess(callback, client.cycle)
  try client.activate()
  for _ in 0..<2_000 where client.cycle.pointee.cycles < 10 {
    waitReadable(client.wakeDescriptor, milliseconds: 5)
  }
  client.close()
}

@c private func allocateInCycle(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
  guard let cycle = argument?.assumingMemoryBound(to: JackCycle.self) else { return 0 }
  _ = cycle.pointee.enter(frames: frames)
  UnsafeMutablePointer<Int>.allocate(capacity: Int(frames)).deallocate()
  cycle.pointee.leave(frames: frames)
  return 0
}

@c private func allocateOutsideCycle(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
  guard let cycle = argument?.assumingMemoryBound(to: JackCycle.self) else { return 0 }
  UnsafeMutablePointer<Int>.allocate(capacity: Int(frames)).deallocate()
  _ = cycle.pointee.enter(frames: frames)
  cycle.pointee.leave(frames: frames)
  return 0
}
