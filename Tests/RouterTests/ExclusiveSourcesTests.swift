import SessionModel
import Testing

@testable import Router

@Suite struct ExclusiveSourcesTests {
  private let backend = MemoryBackend(Show.devices + Show.program("Band", 2), clientName: "multiroute")
  private let direct = ["Headphones:playback_1"]

  private func take(
    _ exclusives: inout ExclusiveSources, _ state: RouterState, at time: Double = 0
  ) -> [Link] {
    exclusives.take(
      WantedLinks(state, backend.others, client: "multiroute"), state, at: backend, time: time)
  }

  private func cable() { backend.cable("Band:out_1", direct[0]) }

  @Test("Exclusive streams take their sources from others, and give them back when they end")
  func takes() throws {
    cable()
    backend.cable("Band:out_1", "multiroute:show.band_1")
    var exclusives = ExclusiveSources()
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    #expect(take(&exclusives, exclusive).isEmpty)
    #expect(backend.connections(of: "Band:out_1") == ["multiroute:show.band_1"])
    #expect(take(&exclusives, try Show.standard()).isEmpty)
    #expect(backend.connections(of: "Band:out_1") == direct + ["multiroute:show.band_1"])
    _ = take(&exclusives, exclusive)
    exclusives.giveBack(at: backend)
    #expect(backend.connections(of: "Band:out_1") == direct + ["multiroute:show.band_1"])
  }

  @Test("What was taken before is ours where it is exclusive again, and else given back at once")
  func inherited() throws {
    var exclusives = ExclusiveSources()
    exclusives.inherit([Link(source: "Band:out_1", sink: direct[0])])
    var idle = exclusives
    _ = take(&idle, try Show.standard())
    #expect(backend.connections(of: "Band:out_1").isEmpty)
    idle.giveBackInherited(at: backend)
    #expect(backend.connections(of: "Band:out_1") == direct && idle.links.isEmpty)

    backend.disconnect("Band:out_1", from: direct[0])
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    var same = exclusives
    _ = take(&same, exclusive)
    same.giveBackInherited(at: backend)
    #expect(backend.connections(of: "Band:out_1").isEmpty && same.links.count == 1)
    same.giveBack(at: backend)
    #expect(backend.connections(of: "Band:out_1") == direct)

    // Somebody wanted it elsewhere meanwhile.
    backend.disconnect("Band:out_1", from: direct[0])
    backend.cable("Band:out_1", "USB:playback_3")
    _ = take(&exclusives, exclusive)
    exclusives.giveBackInherited(at: backend)
    #expect(backend.connections(of: "Band:out_1").isEmpty)
    exclusives.giveBack(at: backend)
    #expect(backend.connections(of: "Band:out_1") == ["USB:playback_3"])
  }

  @Test("What somebody connected instead is given back instead")
  func replaced() throws {
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    var exclusives = ExclusiveSources()
    for (time, sink) in [(0, "Headphones:playback_1"), (5, "USB:playback_3"), (5.1, "USB:playback_4")] {
      backend.cable("Band:out_1", sink)
      backend.cable("Band:out_2", "Headphones:playback_2")
      _ = take(&exclusives, exclusive, at: time)
    }
    exclusives.giveBack(at: backend)
    #expect(backend.connections(of: "Band:out_1") == ["USB:playback_3", "USB:playback_4"])
    #expect(backend.connections(of: "Band:out_2") == ["Headphones:playback_2"])
  }

  @Test("What somebody connects again is taken at once at first, then ever later, and that is said once")
  func fight() throws {
    let exclusive = try Show.standard(.stream("show", "band", .exclusive(true)))
    var exclusives = ExclusiveSources()
    var (time, waits, said) = (0.0, [Double](), [Double]())
    for _ in 0..<12 {
      cable()
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
    // The first time and three returns cost no time.
    let expected = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5]
    #expect(waits.count == expected.count)
    #expect(zip(waits, expected).allSatisfy { abs($0 - $1) < 1e-9 }, "\(waits)")
    #expect(said == [0])
    // After a calm it is taken at once again.
    time += 21
    cable()
    #expect(take(&exclusives, exclusive, at: time).isEmpty)
    #expect(backend.connections(of: "Band:out_1").isEmpty)
  }
}
