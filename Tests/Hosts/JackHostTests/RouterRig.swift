import JackHost
import MediaKernel
import MixEngine
import MixKernel
import Rings
import ServerInterface
import SessionModel
import TestKit

/// A small router at a server: sources and sinks, connected at unity gain.
final class RouterRig {
  let engine: MixEngine
  private(set) var backend: JackBackend
  private(set) var sources: [PortHandle] = []
  private(set) var sinks: [PortHandle] = []
  /// Pairs of source and sink.
  let wires: [(source: Int, sink: Int)]
  /// Delay of each sink in frames.
  let delays: [Int]

  init(server: String, sources: Int, wires: [(source: Int, sink: Int)], delays: [Int]) throws {
    (self.wires, self.delays) = (wires, delays)
    let engine = MixEngine(sampleRate: 48_000)
    self.engine = engine
    backend = try JackBackend(name: "multiroute", server: server)
    try backend.start(engine.kernel)
    try addPorts(sources: sources)
  }

  /// The audio thread must have left the kernel before the engine is freed.
  deinit { backend.close() }

  /// Joins the server again after its restart.
  func reattach(server: String) throws {
    backend.close()
    backend = try JackBackend(name: "multiroute", server: server)
    try backend.start(engine.kernel)
    try addPorts(sources: sources.count)
  }

  private func addPorts(sources count: Int) throws {
    sources = try (0..<count).map { try backend.registerPort("in_\($0 + 1)", isInput: true) }
    sinks = try delays.indices.map { try backend.registerPort("out_\($0 + 1)", isInput: false) }
    let outputs = delays.indices.map { MixStructure.Output(id: PortID(slugging: "o\($0)")) }
    let structure = MixStructure(
      sources: sources.map { .init(.port($0)) },
      sinks: sinks.enumerated().map { .init(.port($0.element), output: $0.offset, stages: []) },
      rows: sources.indices.map { .init(source: $0, stages: []) },
      cells: wires.map { .init(row: $0.source, sink: $0.sink, stage: .panic) }, outputs: outputs)
    let treatments = zip(outputs, delays).map { ($0.0.id, OutputTreatment(delay: $0.1)) }
    engine.publish(
      structure: structure, levels: Self.open, treatments: Dictionary(uniqueKeysWithValues: treatments))
    try backend.publishPaths(
      wires.map { .init(source: sources[$0.source], sink: sinks[$0.sink], delay: delays[$0.sink]) })
  }

  /// The only stage, at unity gain.
  private static let open: [StageKey: StageLevel] = [
    .panic: StageLevel(target: 1, initial: 1, ramp: Ramp(.raisedCosine, frames: 1), revision: 1)
  ]

  /// Connects the first channel of a ring to the first sink, and the first source to the first channel of another ring.
  func publish(playing played: RingStore, recording recorded: RingStore) {
    let structure = MixStructure(
      sources: [.init(.port(sources[0])), .init(.ring(RingChannel(played, channel: 0)))],
      sinks: [
        .init(.port(sinks[0]), output: nil, stages: []),
        .init(.ring(RingChannel(recorded, channel: 0)), output: nil, stages: []),
      ],
      rows: [.init(source: 0, stages: []), .init(source: 1, stages: [])],
      cells: [.init(row: 1, sink: 0, stage: .panic), .init(row: 0, sink: 1, stage: .panic)])
    engine.publish(structure: structure, levels: Self.open)
  }

  /// Connects a player with one channel to a recorder with one channel.
  func publish(
    playing player: DeckPairStore, _ play: DeckOrder, recording recorder: RecorderTapStore, _ record: TapOrder
  ) {
    let structure = MixStructure(
      sources: [.init(.deck(DeckChannel(player, channel: 0)))],
      sinks: [.init(.tap(TapChannel(recorder, channel: 0)), output: nil, stages: [])],
      rows: [.init(source: 0, stages: [])], cells: [.init(row: 0, sink: 0, stage: .panic)])
    var orders = MediaOrders()
    (orders[player], orders[recorder]) = (play, record)
    engine.publish(structure: structure, levels: Self.open, orders: orders)
  }

  /// Publishes an empty mix.
  func publishNothing() -> UInt64 { engine.publish(structure: MixStructure(), levels: [:]) }

  /// Takes notices until one of them matches; false after some seconds.
  func awaitNotice(_ fits: (ServerNotice) -> Bool) -> Bool {
    for _ in 0..<100 {
      if backend.takeNotices(isHeldUp: { false }).contains(where: fits) { return true }
      waitReadable(backend.wakeDescriptor, milliseconds: 50)
    }
    return false
  }
}
