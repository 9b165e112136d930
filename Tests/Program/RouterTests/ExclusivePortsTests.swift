import ServerInterface
import SessionModel
import Testing

@testable import Router

@Suite struct ExclusivePortsTests {
  private let backend = MemoryServer(Show.devices + Show.program("Band", 2), clientName: "multiroute")
  private let direct = ["Headphones:playback_1"]

  /// The server's present graph.
  private var graph: GraphSnapshot {
    var graph = GraphSnapshot()
    graph.ports = backend.others
    for port in graph.ports { graph.connections[port.name] = backend.connections(of: port.name) }
    return graph
  }

  /// Decides from the server's present graph, and carries the decision out.
  private func take(
    _ exclusives: inout ExclusivePorts, _ state: RouterState, at time: Double = 0, appearance: Double? = nil,
    client: String = "multiroute"
  ) {
    exclusives.take(
      WantedLinks(state, backend.others, client: client), state, graph, client: client,
      request: 1, time: time, appearance: { _ in appearance })
    carryOut(&exclusives)
  }

  private func carryOut(_ exclusives: inout ExclusivePorts) {
    for link in exclusives.disconnections { backend.disconnect(link.source, from: link.sink) }
    for link in exclusives.connections { _ = backend.connect(link.source, to: link.sink) }
    exclusives.observe(request: 1)
  }

  private func giveBackInherited(_ exclusives: inout ExclusivePorts) {
    exclusives.giveBackInherited(by: 1)
    carryOut(&exclusives)
  }

  /// Gives all connections back, as the router does when it stops.
  private func giveBack(_ exclusives: ExclusivePorts) {
    for link in exclusives.links { _ = backend.connect(link.source, to: link.sink) }
  }

  private func connectByHand() { backend.connectByHand("Band:out_1", to: direct[0]) }

  @Test("An exclusive stream takes away its source's other connections, and gives them back afterwards")
  func takes() throws {
    connectByHand()
    backend.connectByHand("Band:out_1", to: "multiroute:show.band_1")
    var exclusives = ExclusivePorts()
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    take(&exclusives, exclusive)
    #expect(backend.connections(of: "Band:out_1") == ["multiroute:show.band_1"])
    take(&exclusives, try Show.standard())
    #expect(backend.connections(of: "Band:out_1") == direct + ["multiroute:show.band_1"])
    take(&exclusives, exclusive)
    giveBack(exclusives)
    #expect(backend.connections(of: "Band:out_1") == direct + ["multiroute:show.band_1"])
  }

  @Test(
    "A request that gives a connection back does not take it away, although the report of its removal is not there yet"
  )
  func lateReport() throws {
    connectByHand()
    var exclusives = ExclusivePorts()
    let link = Link(source: "Band:out_1", sink: direct[0])
    func decide(_ state: RouterState, request: Int) {
      exclusives.take(
        WantedLinks(state, backend.others, client: "multiroute"), state, graph, client: "multiroute",
        request: request, time: 0)
    }
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    decide(exclusive, request: 1)
    #expect(exclusives.disconnections == [link] && exclusives.connections.isEmpty)
    backend.disconnect(link.source, from: link.sink)
    decide(try Show.standard(), request: 2)
    #expect(exclusives.connections == [link] && exclusives.disconnections.isEmpty)
    connectByHand()
    decide(exclusive, request: 3)
    #expect(exclusives.disconnections == [link] && exclusives.connections.isEmpty)
  }

  @Test(
    "A program that is moved back to a device before its first removal there is reported is left at that device"
  )
  func movedBack() throws {
    let devices = ["Headphones", "Speaker"].map { Link(source: "Band:out_1", sink: "\($0):playback_1") }
    connectByHand()
    var exclusives = ExclusivePorts()
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    func decide(at time: Double) {
      exclusives.take(
        WantedLinks(exclusive, backend.others, client: "multiroute"), exclusive, graph, client: "multiroute",
        request: 1, time: time)
    }
    decide(at: 0)
    #expect(exclusives.disconnections == [devices[0]])
    // The program is moved to the second device and back. Then the first removal takes away the new connection to the first device.
    for (index, link) in [devices[1], devices[0]].enumerated() {
      #expect(exclusives.noteMade(link, request: 2, at: 0.1 * Double(index + 1)) { _ in nil })
    }
    exclusives.observe(request: 1)
    #expect(exclusives.disconnections == devices, "the connection that was made again is taken away, too")
    backend.disconnect(devices[0].source, from: devices[0].sink)
    exclusives.observe(request: 2)
    decide(at: 0.3)
    #expect(exclusives.links == [devices[0]])
    #expect(exclusives.contested.isEmpty)
  }

  @Test("A program that has ended gets nothing back, so the next one with its name is left alone")
  func ended() throws {
    connectByHand()
    var exclusives = ExclusivePorts()
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    take(&exclusives, exclusive)
    let band = backend.others.filter { $0.name.hasPrefix("Band:") }
    backend.unplug("Band")
    take(&exclusives, exclusive)
    backend.plug(band)
    take(&exclusives, exclusive)
    #expect(backend.connections(of: "Band:out_1").isEmpty && exclusives.links.isEmpty)
  }

  @Test(
    "A program that PipeWire's server of PulseAudio has not answered keeps its connection, which counts as silent, until it is answered"
  )
  func unanswered() throws {
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    let link = Link(source: "Band:out_1", sink: direct[0])
    let waiting = [SystemPort.Origin.awaited, .node(SystemNode(name: "Band", isUnanswered: true))]
    let answered = [SystemPort.Origin.overdue, .absent, .node(SystemNode(name: "Band"))]
    var exclusives = ExclusivePorts()
    func decide(_ origin: SystemPort.Origin) -> DirectConnections {
      var graph = graph
      for index in graph.ports.indices { graph.ports[index].origin = origin }
      let wanted = WantedLinks(exclusive, backend.others, client: "multiroute")
      exclusives.take(wanted, exclusive, graph, client: "multiroute", request: 1, time: 0)
      return DirectConnections(wanted, graph, client: "multiroute", except: exclusives.silent)
    }
    connectByHand()
    for origin in waiting {
      #expect(decide(origin).sinks.isEmpty)
      #expect(!exclusives.noteMade(link, request: 1, at: 0) { _ in nil })
      #expect(exclusives.disconnections.isEmpty && exclusives.links.isEmpty)
    }
    for origin in answered {
      exclusives = ExclusivePorts()
      #expect(decide(origin).sinks.isEmpty)
      #expect(exclusives.disconnections == [link] && exclusives.links == [link])
    }
  }

  @Test("An exclusive stream also frees the ports that none of its channels takes")
  func surplus() throws {
    backend.connectByHand("Band:out_2", to: direct[0])
    var exclusives = ExclusivePorts()
    let mono = try Show.state(
      [
        .removeStream("show", "band"), .createStream("show", "band", channels: 1, placed: false),
        .stream("show", "band", .sources([.ports(ProgramPorts("Band:out_*")!)])),
        .stream("show", "band", .exclusive(true)),
      ], from: try Show.standard())
    take(&exclusives, mono)
    #expect(backend.connections(of: "Band:out_2") == [])
    giveBack(exclusives)
    #expect(backend.connections(of: "Band:out_2") == direct)
  }

  @Test("A connection that a slow server still shows is not taken away twice, and does not count as a return")
  func slowServer() throws {
    connectByHand()
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    var (exclusives, graph) = (ExclusivePorts(), GraphSnapshot())
    graph.connections["Band:out_1"] = direct
    graph.ports = backend.others
    let wanted = WantedLinks(exclusive, backend.others, client: "multiroute")
    for time in 0..<10 {
      exclusives.take(
        wanted, exclusive, graph, client: "multiroute", request: 1 + time, time: Double(time))
      #expect(exclusives.contested.isEmpty)
      #expect(exclusives.disconnections == [Link(source: "Band:out_1", sink: direct[0])])
    }
    exclusives.observe(request: 1)
    #expect(exclusives.disconnections.isEmpty)
  }

  @Test(
    "Connections that an earlier run took away are given back at once, unless their source is exclusive again"
  )
  func inherited() throws {
    var exclusives = ExclusivePorts(inheriting: [Link(source: "Band:out_1", sink: direct[0])])
    var idle = exclusives
    take(&idle, try Show.standard())
    #expect(backend.connections(of: "Band:out_1").isEmpty)
    giveBackInherited(&idle)
    #expect(backend.connections(of: "Band:out_1") == direct && idle.links.isEmpty)

    backend.disconnect("Band:out_1", from: direct[0])
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    var same = exclusives
    take(&same, exclusive)
    giveBackInherited(&same)
    #expect(backend.connections(of: "Band:out_1").isEmpty && same.links.count == 1)
    giveBack(same)
    #expect(backend.connections(of: "Band:out_1") == direct)

    // Another program has meanwhile connected the source to another port.
    backend.disconnect("Band:out_1", from: direct[0])
    backend.connectByHand("Band:out_1", to: "USB:playback_3")
    take(&exclusives, exclusive)
    giveBackInherited(&exclusives)
    #expect(backend.connections(of: "Band:out_1").isEmpty)
    giveBack(exclusives)
    #expect(backend.connections(of: "Band:out_1") == ["USB:playback_3"])
  }

  @Test("The connections of a program that is started again and again are taken away at once each time")
  func restarts() throws {
    var exclusives = ExclusivePorts()
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    for start in 1...2 * ExclusivePorts.patience {
      connectByHand()
      take(&exclusives, exclusive, at: Double(start) / 2, appearance: Double(start) / 2 - 0.01)
      #expect(backend.connections(of: "Band:out_1").isEmpty, "start \(start)")
      #expect(exclusives.contested.isEmpty)
    }
  }

  @Test("If another program replaces its connection, the new one is given back")
  func replaced() throws {
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    var exclusives = ExclusivePorts()
    for (time, sink) in [(0, "Headphones:playback_1"), (5, "USB:playback_3"), (5.1, "USB:playback_4")] {
      backend.connectByHand("Band:out_1", to: sink)
      backend.connectByHand("Band:out_2", to: "Headphones:playback_2")
      take(&exclusives, exclusive, at: time)
    }
    giveBack(exclusives)
    #expect(backend.connections(of: "Band:out_1") == ["USB:playback_3", "USB:playback_4"])
    #expect(backend.connections(of: "Band:out_2") == ["Headphones:playback_2"])
  }

  @Test(
    "A program that is moved quickly to and fro is given back to its last device alone", arguments: 2...21)
  func movesQuickly(moves: Int) throws {
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    var exclusives = ExclusivePorts()
    let devices = ["USB", "Headphones"]
    // The first move is slow enough to be told from a program that connects itself to both.
    for move in 0..<moves {
      for port in backend.connections(of: "Band:out_1") { backend.disconnect("Band:out_1", from: port) }
      backend.connectByHand("Band:out_1", to: "\(devices[move % 2]):playback_1")
      take(&exclusives, exclusive, at: move < 2 ? 0.4 * Double(move) : 0.4 + 0.02 * Double(move))
    }
    giveBack(exclusives)
    #expect(backend.connections(of: "Band:out_1") == ["\(devices[(moves - 1) % 2]):playback_1"])
  }

  @Test("A program that connects itself to all devices, one connection at a time, gets all back")
  func fanOut() throws {
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    var exclusives = ExclusivePorts()
    let sinks =
      ["USB:playback_1", "USB:playback_2", "USB:playback_3", "USB:playback_4"]
      + ["Headphones:playback_1", "Headphones:playback_2"]
    for (number, sink) in sinks.enumerated() {
      backend.connectByHand("Band:out_\(number % 2 + 1)", to: sink)
      take(&exclusives, exclusive, at: 0.2 * Double(number))
    }
    giveBack(exclusives)
    for channel in 1...2 {
      let all = sinks.filter { $0.hasSuffix("_\(channel)") || $0.hasSuffix("_\(channel + 2)") }
      #expect(backend.connections(of: "Band:out_\(channel)") == all.sorted())
    }
  }

  @Test(
    "A port that is lost three times within five seconds is left to the other program, until that is gone or the stream is set anew"
  )
  func fight() throws {
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    func lost() -> ExclusivePorts {
      var exclusives = ExclusivePorts()
      backend.others = Show.devices + Show.program("Band", 2)
      for loss in 0...ExclusivePorts.patience {
        connectByHand()
        take(&exclusives, exclusive, at: Double(loss))
        #expect(
          backend.connections(of: "Band:out_1").isEmpty == (loss < ExclusivePorts.patience), "loss \(loss)")
      }
      #expect(
        exclusives.contested == ["Band:out_1", "Band:out_2"].map { ContestedPort($0, client: "Headphones") })
      #expect(exclusives.hasYielded(Link(source: "Band:out_1", sink: "multiroute:show.band_1")))
      // Nothing is to be given back: the other program has it.
      #expect(exclusives.links.isEmpty)
      take(&exclusives, exclusive, at: 100)
      #expect(backend.connections(of: "Band:out_1") == direct)
      return exclusives
    }
    var gone = lost()
    backend.unplug("Headphones")
    take(&gone, exclusive, at: 101)
    #expect(gone.contested.isEmpty)

    var asked = lost()
    take(&asked, try Show.standard(), at: 101)
    take(&asked, exclusive, at: 102)
    #expect(asked.contested.isEmpty && backend.connections(of: "Band:out_1").isEmpty)

    var reloaded = lost()
    reloaded.retry()
    take(&reloaded, exclusive, at: 101)
    #expect(backend.connections(of: "Band:out_1").isEmpty)
  }

  @Test(
    "Of two routers that fight, the first by name is more patient",
    arguments: [("a", 12), ("multiroute", 12), ("zeta", 3)])
  func routers(client: String, patience: Int) throws {
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    backend.plug([
      SystemPort(name: "second:show.band_1", isInput: true),
      SystemPort(name: "second:to-usb_1", isInput: false),
    ])
    var exclusives = ExclusivePorts()
    for loss in 0..<patience {
      backend.connectByHand("Band:out_1", to: "second:show.band_1")
      take(&exclusives, exclusive, at: 0.1 * Double(loss), client: client)
      #expect(exclusives.contested.isEmpty, "loss \(loss)")
    }
    backend.connectByHand("Band:out_1", to: "second:show.band_1")
    take(&exclusives, exclusive, at: 0.1 * Double(patience), client: client)
    #expect(exclusives.contested.first == ContestedPort("Band:out_1", client: "second"))
  }

  @Test("Losses that are far from each other are set right each time")
  func patience() throws {
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    var exclusives = ExclusivePorts()
    for loss in 0..<20 {
      connectByHand()
      take(&exclusives, exclusive, at: 3 * Double(loss))
      #expect(backend.connections(of: "Band:out_1").isEmpty)
    }
  }

  @Test(
    "A connection of the router that another program takes away counts, and the program that has the port then keeps it"
  )
  func taken() throws {
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    let own = Link(source: "Band:out_1", sink: "multiroute:show.band_1")
    var exclusives = ExclusivePorts()
    take(&exclusives, exclusive)
    for loss in 0..<ExclusivePorts.patience { exclusives.noteLoss(of: own, at: Double(loss)) }
    take(&exclusives, exclusive, at: 3)
    #expect(exclusives.contested.isEmpty, "no other program has the port")
    connectByHand()
    take(&exclusives, exclusive, at: 3)
    #expect(
      exclusives.contested == ["Band:out_1", "Band:out_2"].map { ContestedPort($0, client: "Headphones") })
  }
}
