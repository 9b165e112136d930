import Foundation
import JackClient
import JackServer
import TestKit
import Testing

@Suite struct DummyServerTests {
  @Test("A started server answers, and a stopped one does not")
  func startAndStop() async throws {
    let host = try await PrivateServer()
    let server = host.server
    #expect(server.answers)
    let identifier = try #require(server.processIdentifier)
    #expect(kill(identifier, 0) == 0)
    server.stop()
    #expect(!server.answers)
    #expect(kill(identifier, 0) != 0)
  }

  @Test("A killed server is gone, and one of the same name can be started after it")
  func killAndRestart() async throws {
    let host = try await PrivateServer()
    host.server.kill()
    #expect(!host.server.answers)
    try host.server.start()
    #expect(host.server.answers)
    try host.stage().do("device Headphones 2 0")
  }

  @Test("A name in use is refused before a server is started")
  func nameInUse() async throws {
    let host = try await PrivateServer()
    let twin = DummyServer(host.server.settings)
    #expect(throws: ServerError.nameInUse(host.name)) { try twin.start() }
    #expect(host.server.answers)
  }

  @Test("A server that cannot run reports the reason")
  func badSettings() async throws {
    let error = await #expect(throws: ServerError.self) {
      _ = try await PrivateServer { $0.portLimit = 99_999 }
    }
    guard case .ended(let output) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(output.contains("too much ports"))
  }

  @Test("Clients get a notice of their server's end, and find the next server of that name")
  func restart() async throws {
    let host = try await PrivateServer()
    do {
      let stage = try host.stage()
      try stage.do("device Headphones 2 0")
      host.server.stop()
      let failure = #expect(throws: StageProcess.Failure.self) { try stage.do("frames 100000") }
      #expect(failure?.answer.contains("the server has ended") == true)
    }
    try host.server.start()
    try host.stage().do("device Headphones 2 0")
  }

  @Test("A server ends with the process that started it, even if that is killed")
  func orphan() async throws {
    let permit = try await PrivateServer()
    let name = permit.name + "-orphan"
    let child = try ChildProcess(ChildProcess.product("stage"), ["--server", name, "--start-server"])
    #expect(child.output.line(containing: "ok rate=") != nil)
    let server = DummyServer(DummyServer.Settings(name: name))
    let connection = try #require(server.socket.connection())
    child.send(signal: SIGKILL)
    #expect(child.wait() == -SIGKILL)
    #expect(connection.waitForEnd(milliseconds: 5_000))
    #expect(!server.answers)
  }

  @Test("The place of a killed server is released when no other place is free")
  func places() async throws {
    let host = try await PrivateServer()
    let killed = (1...8).map { DummyServer(DummyServer.Settings(name: "\(host.name)-killed-\($0)")) }
    // Started and ended once more, so that the test leaves a free place.
    defer {
      for server in killed where Self.place(of: server) != nil {
        try? server.start()
        server.stop()
      }
    }
    // Other programs have some of the places. At any time they may take the last one or release one.
    for server in killed where !ServerPlaces().isFull {
      do throws(ServerError) { try server.start() } catch { continue }
      #expect(Self.place(of: server)?.isAbandoned == false)
      server.kill()
      #expect(Self.place(of: server)?.isAbandoned == true)
    }
    let late = DummyServer(DummyServer.Settings(name: host.name + "-late"))
    try late.start()
    #expect(late.answers && Self.place(of: late)?.isAbandoned == false)
    #expect(Self.place(of: host.server)?.isAbandoned == false)
    late.stop()
    #expect(Self.place(of: late) == nil)
  }

  private static func place(of server: DummyServer) -> ServerPlaces.Place? {
    ServerPlaces().taken.first { $0.server == server.name && $0.user == getuid() }
  }

  @Test("If all places are in use, the error names the servers that hold them")
  func noPlace() {
    let places = [getpid(), .max].map { ServerPlaces.Place(server: "show", user: getuid(), process: $0) }
    let said = ServerError.noPlace(taken: places).description
    // For the running server the error names its program.
    #expect(
      said.contains("\"show\" (process \(getpid()), ") && said.contains("\"show\" (process \(Int32.max))"))
    #expect(!places[0].isAbandoned && places[1].isAbandoned)
  }
}
