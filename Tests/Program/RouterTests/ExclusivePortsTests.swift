import AudioHost
import SessionModel
import Testing

@testable import Router

@Suite struct ExclusivePortsTests {
  private let backend = MemoryServer(Show.devices + Show.program("Band", 2), clientName: "multiroute")
  private let direct = ["Headphones:playback_1"]

  /// Decides from the server's present graph, and carries the decision out.
  private func take(
    _ exclusives: inout ExclusivePorts, _ state: RouterState, at time: Double = 0, appearance: Double? = nil
  ) -> [Link] {
    var graph = GraphSnapshot()
    graph.ports = backend.others
    for port in graph.ports { graph.connections[port.name] = backend.connections(of: port.name) }
    let contested = exclusives.take(
      WantedLinks(state, backend.others, client: "multiroute"), state, graph, client: "multiroute",
      request: 1, time: time, appearance: { _ in appearance })
    carryOut(&exclusives)
    return contested
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
    #expect(take(&exclusives, exclusive).isEmpty)
    #expect(backend.connections(of: "Band:out_1") == ["multiroute:show.band_1"])
    #expect(take(&exclusives, try Show.standard()).isEmpty)
    #expect(backend.connections(of: "Band:out_1") == direct + ["multiroute:show.band_1"])
    _ = take(&exclusives, exclusive)
    giveBack(exclusives)
    #expect(backend.connections(of: "Band:out_1") == direct + ["multiroute:show.band_1"])
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
    #expect(take(&exclusives, mono).isEmpty)
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
      let contested = exclusives.take(
        wanted, exclusive, graph, client: "multiroute", request: 1 + time, time: Double(time))
      #expect(contested.isEmpty && exclusives.due == nil)
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
    _ = take(&idle, try Show.standard())
    #expect(backend.connections(of: "Band:out_1").isEmpty)
    giveBackInherited(&idle)
    #expect(backend.connections(of: "Band:out_1") == direct && idle.links.isEmpty)

    backend.disconnect("Band:out_1", from: direct[0])
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    var same = exclusives
    _ = take(&same, exclusive)
    giveBackInherited(&same)
    #expect(backend.connections(of: "Band:out_1").isEmpty && same.links.count == 1)
    giveBack(same)
    #expect(backend.connections(of: "Band:out_1") == direct)

    // Another program has meanwhile connected the source to another port.
    backend.disconnect("Band:out_1", from: direct[0])
    backend.connectByHand("Band:out_1", to: "USB:playback_3")
    _ = take(&exclusives, exclusive)
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
      let contested = take(&exclusives, exclusive, at: Double(start), appearance: Double(start) - 0.01)
      #expect(backend.connections(of: "Band:out_1").isEmpty, "start \(start)")
      #expect(contested.isEmpty)
    }
  }

  @Test("If another program replaces its connection, the new one is given back")
  func replaced() throws {
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    var exclusives = ExclusivePorts()
    for (time, sink) in [(0, "Headphones:playback_1"), (5, "USB:playback_3"), (5.1, "USB:playback_4")] {
      backend.connectByHand("Band:out_1", to: sink)
      backend.connectByHand("Band:out_2", to: "Headphones:playback_2")
      _ = take(&exclusives, exclusive, at: time)
    }
    giveBack(exclusives)
    #expect(backend.connections(of: "Band:out_1") == ["USB:playback_3", "USB:playback_4"])
    #expect(backend.connections(of: "Band:out_2") == ["Headphones:playback_2"])
  }

  @Test("A program that another manager has moved about quickly is given back where that manager put it last")
  func moves() throws {
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    let devices = ["Headphones:playback_1", "USB:playback_1"]
    for isSeenAtOnce in [false, true] {
      var exclusives = ExclusivePorts()
      _ = take(&exclusives, exclusive)
      for move in 0..<20 {
        let link = Link(source: "Band:out_1", sink: devices[move % 2])
        let isExclusive = exclusives.note(link)
        #expect(isExclusive)
        backend.connectByHand(link.source, to: link.sink)
        // The router may see two moves in one look.
        if !isSeenAtOnce || move % 2 == 1 { _ = take(&exclusives, exclusive, at: 1 + Double(move) / 100) }
      }
      giveBack(exclusives)
      #expect(backend.connections(of: "Band:out_1") == [devices[1]], "\(isSeenAtOnce)")
      backend.disconnect("Band:out_1", from: devices[1])
    }
  }

  @Test("Connections that come back are taken away at once, later after growing waits, and reported once")
  func fight() throws {
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    var exclusives = ExclusivePorts()
    var (time, waits, said) = (0.0, [Double](), [Double]())
    for _ in 0..<12 {
      connectByHand()
      if !take(&exclusives, exclusive, at: time).isEmpty { said.append(time) }
      if let due = exclusives.due {
        #expect(backend.connections(of: "Band:out_1") == direct)
        waits.append(due - time)
        time = due
        if !take(&exclusives, exclusive, at: time).isEmpty { said.append(time) }
      }
      #expect(exclusives.due == nil)
      #expect(backend.connections(of: "Band:out_1").isEmpty)
    }
    // There is no wait the first time, nor after the first three returns.
    let expected = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5]
    #expect(waits.count == expected.count)
    #expect(zip(waits, expected).allSatisfy { abs($0 - $1) < 1e-9 }, "\(waits)")
    #expect(said == [0])
    // After a pause without returns, the connection is taken away at once again.
    time += 21
    connectByHand()
    #expect(take(&exclusives, exclusive, at: time).isEmpty)
    #expect(backend.connections(of: "Band:out_1").isEmpty)
  }
}
