import ServerInterface
import SessionModel
import Testing
import Threads

@testable import Router

@Suite struct HungProgramsTests {
  private let toRouter = Link(source: "Player:out_1", sink: "multiroute:show.band_1")
  private let toSpeaker = Link(source: "Player:out_1", sink: "Speaker:playback_1")
  private let other = Link(source: "Band:out_1", sink: "multiroute:show.band_1")

  private var graph: GraphSnapshot {
    var graph = GraphSnapshot()
    graph.ports = [
      SystemPort(name: "Player:out_1", isInput: false), SystemPort(name: "Band:out_1", isInput: false),
    ]
    for link in [toRouter, toSpeaker, other] { graph.add(link) }
    return graph
  }

  @Test("All outputs of a stopped program are disconnected, and no others")
  func stopped() {
    var hung = HungPrograms()
    #expect(hung.follow(graph, request: 3).isEmpty)
    hung.note(stopped: ["Player"], request: 3)
    #expect(hung.outputs(in: graph) == ["Player:out_1"])
    #expect(Set(hung.follow(graph, request: 3)) == [toRouter, toSpeaker])
    #expect(hung.follow(graph, request: 3).isEmpty, "each connection is found once")
    #expect(hung.stuck == ["Player:out_1"])
    #expect(hung.owed(client: "multiroute") == [toSpeaker])
    #expect(hung.concerns("multiroute:show.band_1") && !hung.concerns("multiroute:show.band_2"))
    #expect(hung.list == [HungProgram("Player", isDisconnected: true)])
  }

  @Test("A removal is asked for until a report has come, and again if somebody makes the connection again")
  func asked() {
    var hung = HungPrograms()
    hung.note(stopped: ["Player"], request: 3)
    _ = hung.follow(graph, request: 3)
    hung.observe(request: 2)
    #expect(hung.stuck == ["Player:out_1"])
    hung.observe(request: 3)
    #expect(hung.stuck.isEmpty)
    #expect(hung.follow(graph, request: 4).isEmpty, "the server shows connections for a while")
    var cut = graph
    for link in [toRouter, toSpeaker] { cut.remove(link) }
    #expect(hung.follow(cut, request: 4).isEmpty)
    #expect(Set(hung.follow(graph, request: 5)) == [toRouter, toSpeaker])
    #expect(hung.stuck == ["Player:out_1"])
  }

  @Test("The connections of a program that goes on are made again, until a report has come")
  func goesOn() {
    var hung = HungPrograms()
    hung.note(stopped: ["Player"], request: 3)
    _ = hung.follow(graph, request: 3)
    hung.note(stopped: [], request: 7)
    #expect(hung.connections == [toSpeaker, toRouter].sorted())
    #expect(hung.list.isEmpty && hung.owed(client: "multiroute").isEmpty)
    hung.observe(request: 6)
    #expect(hung.connections.count == 2)
    hung.observe(request: 7)
    #expect(hung.connections.isEmpty)
  }

  @Test("A program for which only calls wait stays connected")
  func awaited() {
    var hung = HungPrograms()
    hung.awaited = ["Sleeper"]
    #expect(hung.follow(graph, request: 3).isEmpty)
    #expect(hung.list == [HungProgram("Sleeper", isDisconnected: false)])
    #expect(hung.list[0].sentence == "waiting for JACK: the program Sleeper does not answer")
  }

  @Test("The watch finds programs that are stopped ahead of the router, and not one that nothing waits for")
  func watch() throws {
    let server = MemoryServer(Show.program("Player", 1), clientName: "multiroute")
    let port = try server.register("show.band_1", prettyName: "", isSource: true)
    let watch = HangWatch(server)
    server.stop(programs: ["Sleeper"])
    watch.follow()
    #expect(watch.takeNews() == nil, "the server calls the router")
    server.connectByHand("Player:out_1", to: "multiroute:show.band_1")
    server.stop(programs: ["Player"])
    watch.follow()
    func news() -> Set<String>? {
      for _ in 0..<5_000 {
        if let news = watch.takeNews() { return news }
        MonotonicTime.pause(seconds: 0.001)
      }
      return nil
    }
    #expect(news() == ["Player"])
    server.disconnectByHand("Player:out_1", from: "multiroute:show.band_1")
    server.stop(programs: ["Player", "Sleeper"])
    server.stop(programs: ["Sleeper"])
    #expect(news() == [])
    server.unregister(port)
    watch.end()
  }

  @Test("A session stays active while its only program hangs, and gets the program back")
  func session() async {
    let server = MemoryServer(Show.devices + Show.program("Band", 2))
    let router = Router(Router.Settings(), server: server, isInline: true)
    await router.perform { router in
      router.join()
      for event in Show.session { router.happen(event) }
      server.connectByHand("Band:out_1", to: "Speaker:playback_1")
      router.tick()
      let before = server.connections
      server.stop(programs: ["Band"])
      for _ in 0..<5_000 where router.state.hungPrograms.isEmpty {
        router.tick()
        MonotonicTime.pause(seconds: 0.001)
      }
      router.tick()
      #expect(router.state.hungPrograms == [HungProgram("Band", isDisconnected: true)])
      #expect(router.state.sessions["show"]?.isActive == true)
      #expect(server.connections(of: "Band:out_1").isEmpty)
      server.stop(programs: [])
      for _ in 0..<5_000 where !router.state.hungPrograms.isEmpty {
        router.tick()
        MonotonicTime.pause(seconds: 0.001)
      }
      router.tick()
      #expect(server.connections == before)
      #expect(router.state.sessions["show"]?.isActive == true)
    }
    router.executor.stop()
  }
}
