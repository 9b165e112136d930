import JackHost
import JackServer
import MixEngine
import ServerInterface
import StageKit
import TestKit
import Testing
import Threads

/// JACK behind the protocol that the router knows, on a real server, with the calls of both threads.
@Suite struct JackAudioTests {
  /// An audio server and the wake-ups that it asks for.
  private final class Visitor {
    let audio = JackAudio()
    let engine = MixEngine(sampleRate: 48_000)
    private let bell = Semaphore()

    init() { audio.wakeOnNews { [bell] in bell.signal() } }

    // The audio thread must have left the kernel before the engine is freed.
    deinit { audio.close() }

    /// The next result of the search.
    func finding() throws -> Finding {
      while true {
        if let finding = audio.takeFinding() { return finding }
        try #require(bell.wait(seconds: 5), "the search has no result")
      }
    }

    /// Finds and joins a server.
    func join(_ server: String) throws -> ServerFacts {
      audio.seek(name: "multiroute", server: server, isThere: false)
      try #require(try finding() == .found(sampleRate: 48_000))
      return try audio.open(engine.kernel)
    }

    /// Takes notices until one of them is `wanted`; those of the audio thread do not make the descriptor readable.
    func takesNotice(_ wanted: ServerNotice, _ descriptor: Int32) -> Bool {
      takesNotice(descriptor) { $0 == wanted }
    }

    /// Takes notices until one of them fits.
    func takesNotice(_ descriptor: Int32, _ fits: (ServerNotice) -> Bool) -> Bool {
      for _ in 0..<200 {
        if audio.takeNotices().contains(where: fits) { return true }
        waitReadable(descriptor, milliseconds: 20)
      }
      return false
    }
  }

  @Test(
    "The search names a server that does not exist, and joining one that does gives its facts")
  func facts() async throws {
    let host = try await PrivateServer { $0.period = 512 }
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let visitor = Visitor()
      visitor.audio.seek(name: "multiroute", server: "mrtest-absent", isThere: false)
      #expect(
        try visitor.finding() == .missing(.noServer("no JACK server named 'mrtest-absent' answers")))
      let facts = try visitor.join(name)
      #expect((facts.clientName, facts.sampleRate, facts.period) == ("multiroute", 48_000, 512))
      #expect(facts.identity != nil && facts.noticeDescriptor != nil)
      // The same server is recognised when it is joined again.
      #expect(try visitor.join(name).identity == facts.identity)
    }
  }

  /// A search that found a running server at once was never followed, so the router stayed without a server.
  @Test("The caller is woken when the result of a search can be taken, even if the search ends at once")
  func quickSearch() async {
    await #expect(processExitsWith: .success) {
      let (audio, bell) = (JackAudio(), Semaphore())
      audio.wakeOnNews { bell.signal() }
      for _ in 0..<20 {
        audio.seek(name: "multiroute", server: "mrtest-absent", isThere: false)
        #expect(bell.wait(seconds: 0))
        audio.close()
        while bell.wait(seconds: 0) {}
      }
    }
  }

  @Test("Calls without a server are refused or have no effect")
  func withoutServer() {
    let audio = JackAudio()
    #expect(throws: AudioServerError.refused("there is no JACK server")) {
      _ = try audio.register("in", prettyName: "In", isSource: true)
    }
    #expect(throws: AudioServerError.self) { try audio.open(MixEngine(sampleRate: 48_000).kernel) }
    #expect(audio.systemPorts().isEmpty && audio.connections(of: "a:b").isEmpty)
    #expect(!audio.connect("a:b", to: "c:d"))
    #expect(audio.takeNotices().isEmpty && audio.secondsWithoutPeriod == nil)
    audio.close()
  }

  @Test("Ports, connections and latencies of other clients are read, and each change of them gives a notice")
  func graph() async throws {
    let host = try await PrivateServer()
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let visitor = Visitor()
      let (audio, descriptor) = (visitor.audio, try #require(visitor.join(name).noticeDescriptor))
      let stage = try StageProcess(server: name)
      try stage.do("device \"USB Interface\" 2 1 512 256")
      #expect(visitor.takesNotice(.portsChanged, descriptor))
      let names = audio.systemPorts().map(\.name).filter { $0.hasPrefix("USB Interface:") }
      #expect(
        Set(names) == ["USB Interface:playback_1", "USB Interface:playback_2", "USB Interface:capture_1"])
      let source = try audio.register("in", prettyName: "In", isSource: true)
      let sink = try audio.register("out", prettyName: "Out", isSource: false)
      #expect(!audio.systemPorts().contains { $0.name.hasPrefix("multiroute:") })
      #expect(audio.connect("multiroute:out", to: "USB Interface:playback_2"))
      // A connection that exists is a success, too; one to a port that does not exist is refused.
      #expect(audio.connect("multiroute:out", to: "USB Interface:playback_2"))
      #expect(!audio.connect("multiroute:out", to: "USB Interface:playback_3"))
      #expect(visitor.takesNotice(.connectionsChanged, descriptor))
      #expect(audio.connections(of: "multiroute:out") == ["USB Interface:playback_2"])
      #expect(audio.playbackLatency(of: "USB Interface:playback_1") == 512)
      #expect(audio.captureLatency(of: "USB Interface:capture_1") == 256)
      audio.disconnect("multiroute:out", from: "USB Interface:playback_2")
      let link = Link(source: "multiroute:out", sink: "USB Interface:playback_2")
      #expect(visitor.takesNotice(.disconnected(link), descriptor))
      #expect(audio.connections(of: "multiroute:out").isEmpty)
      for port in [source, sink] { audio.unregister(port) }
      #expect(!audio.connect("multiroute:out", to: "USB Interface:playback_2"))
    }
  }

  @Test("A period is granted and told, and the end of the server is told, after which the next one is found")
  func periodAndEnd() async throws {
    let host = try await PrivateServer()
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let visitor = Visitor()
      let descriptor = try #require(visitor.join(name).noticeDescriptor)
      try visitor.audio.requestPeriod(256)
      #expect(visitor.takesNotice(.periodChanged(256), descriptor))
    }
    host.server.stop()
    await #expect(processExitsWith: .success) { [name = host.name as String] in
      let server = DummyServer(DummyServer.Settings(name: name))
      try server.start()
      let visitor = Visitor()
      let descriptor = try #require(visitor.join(name).noticeDescriptor)
      server.stop()
      #expect(visitor.takesNotice(descriptor) { if case .shutdown = $0 { true } else { false } })
      try server.start()
      #expect(try visitor.join(name).clientName == "multiroute")
    }
  }
}
