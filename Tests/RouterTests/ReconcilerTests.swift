import SessionModel
import Testing

@testable import Router

@Suite struct ReconcilerTests {
  private let system = Show.devices + Show.program("Band", 2) + Show.program("Click", 1)
  private let band = ["Band:out_1", "multiroute:show.band_1"]

  private func reconcile(
    _ reconciler: inout Reconciler, _ state: RouterState, _ backend: MemoryBackend, frame: UInt64 = 0,
    closed: UInt64 = 100, gone: UInt64 = 0
  ) {
    reconciler.reconcile(
      WantedLinks(state, backend.others, client: "multiroute"), backend.others, at: backend, frame: frame,
      closed: closed, gone: gone)
  }

  private var nobody: Event { .stream("show", "band", .sources([])) }

  @Test("Wanted cables are made once, and stay")
  func makes() throws {
    let backend = MemoryBackend(system, clientName: "multiroute")
    var reconciler = Reconciler()
    let state = try Show.standard()
    for _ in 0..<3 { reconcile(&reconciler, state, backend) }
    #expect(
      backend.cables
        == Set(WantedLinks(state, system, client: "multiroute").links.map { [$0.link.source, $0.link.sink] }))
    #expect(backend.connections.values.allSatisfy { $0 == 1 })
    #expect(!reconciler.isClosing)
  }

  @Test("A cable goes only when its gate has closed")
  func removes() throws {
    let backend = MemoryBackend(system, clientName: "multiroute")
    var reconciler = Reconciler()
    reconcile(&reconciler, try Show.standard(), backend)
    let without = try Show.standard(nobody)
    let owner = LinkOwner.stream(StreamAddress(session: "show", stream: "band"))
    reconcile(&reconciler, without, backend, frame: 1_000, closed: 2_000)
    #expect(reconciler.mustClose(owner))
    #expect(backend.cables.contains(band))
    reconcile(&reconciler, without, backend, frame: 1_999, closed: 3_000)
    #expect(backend.cables.contains(band))
    reconcile(&reconciler, without, backend, frame: 2_000, closed: 3_000, gone: 2_768)
    #expect(!backend.cables.contains(band))
    // Until the server has done it the cable may still be seen, and must not open the gate.
    #expect(reconciler.mustClose(owner) && reconciler.isClosing)
    reconcile(&reconciler, without, backend, frame: 2_768, closed: 3_768, gone: 3_536)
    #expect(!reconciler.mustClose(owner) && !reconciler.isClosing)
  }

  @Test("A cable that is wanted again before its gate has closed is left where it is")
  func wantedAgain() throws {
    let backend = MemoryBackend(system, clientName: "multiroute")
    var reconciler = Reconciler()
    reconcile(&reconciler, try Show.standard(), backend)
    reconcile(&reconciler, try Show.standard(nobody), backend, frame: 0, closed: 100)
    reconcile(&reconciler, try Show.standard(), backend, frame: 50, closed: 150)
    #expect(!reconciler.isClosing)
    #expect(backend.connections[band] == 1)
    #expect(backend.cables.contains(band))
  }

  @Test("A cable made by hand is not removed when it is no longer wanted")
  func handMade() throws {
    let backend = MemoryBackend(system, clientName: "multiroute")
    backend.cable(band[0], band[1])
    var reconciler = Reconciler()
    reconcile(&reconciler, try Show.standard(), backend)
    #expect(backend.connections[band] == nil)
    for frame: UInt64 in [0, 1_000, 2_000] {
      reconcile(&reconciler, try Show.standard(nobody), backend, frame: frame, closed: frame + 100)
    }
    #expect(backend.cables.contains(band))
    #expect(!backend.cables.contains(["Band:out_2", "multiroute:show.band_2"]))
  }

  @Test("A cable whose far end has gone is forgotten, and made again when it is back")
  func farEnd() throws {
    let backend = MemoryBackend(system, clientName: "multiroute")
    var reconciler = Reconciler()
    let state = try Show.standard()
    reconcile(&reconciler, state, backend)
    backend.unplug("Band")
    reconcile(&reconciler, state, backend)
    #expect(!reconciler.isClosing)
    backend.plug(Show.program("Band", 2))
    reconcile(&reconciler, state, backend)
    #expect(backend.connections[band] == 2)
  }
}
