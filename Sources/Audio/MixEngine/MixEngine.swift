internal import CRealtime
internal import MediaKernel
public import MixKernel
internal import MixLoops
public import SessionModel
internal import Synchronization

/// The control side of the mix: it compiles descriptions into plans, publishes the plans for the audio thread, and reads telemetry.
///
/// One thread at a time may call these functions, any but the audio thread. That thread uses `kernel` alone.
public final class MixEngine {
  /// The audio thread's state. It is freed with the engine: stop the audio thread before releasing the engine.
  public let kernel: UnsafeMutablePointer<KernelState>
  /// Serial of the plan that brought the present structure.
  public private(set) var structureSerial: UInt64 = 0
  /// Serial of the newest plan.
  public private(set) var serial: UInt64 = 0

  /// Sends levels to the audio thread before a plan decides about them.
  public let early: EarlySender

  private let shared: ExchangeStore
  private let exchange: UnsafeMutablePointer<Exchange>
  /// Number of the last early level that was decided, and of the last one whose decision a plan has published.
  private var earlyDecided: UInt64 = 0
  private var earlyPublished: UInt64 = 0
  private let arena = Arena()
  private let sampleRate: Double
  private var mix = MixStructure()
  private var treatments: [PortID: OutputTreatment] = [:]
  private var stages = StageTable()
  private var structure: CompiledStructure
  private var memory: StageStore
  /// The delay lines of sinks that were ever delayed.
  private var lines: [MixStructure.Endpoint: DelayStore] = [:]
  /// Delay of each sink, and its delay line if it has one, in the order of the structure.
  private var sinkTreatments: [OutputTreatment?] = []
  private var sinkLines: [DelayStore?] = []
  /// The newest orders for the players and recorders of the structure.
  private var deckOrders = OrderTable<DeckOrder>()
  private var tapOrders = OrderTable<TapOrder>()
  /// Plans that are published and that the audio thread has not yet given back.
  private var plans: [UnsafeMutablePointer<Plan>: PublishedPlan] = [:]
  private var telemetry: TelemetryReader

  /// Longest delay in seconds, as for `/output/<o>/delay` (docs/develop/law/ports.md#4-alignment).
  private static let longestDelay = 2.0
  /// Length in seconds of the crossfade when a delay changes.
  private static let delayFade = 0.02
  /// Seconds between telemetry records.
  private static let telemetryInterval = 0.01

  /// Makes an engine with an empty mix.
  /// - Parameters:
  ///   - sampleRate: frames per second.
  ///   - loops: the newest build of the loops that may be used; an older one than the default is for tests. The engine uses the newest
  ///     allowed build that this processor can run.
  public init(sampleRate: Double, loops: LoopBuild = .v4) {
    self.sampleRate = sampleRate
    structure = CompiledStructure(mix, media: MediaLayout(mix), stages: stages, serial: 0)
    memory = StageStore(count: stages.count)
    shared = ExchangeStore()
    exchange = shared.pointer
    early = EarlySender(shared)
    telemetry = TelemetryReader(exchange, sampleRate: sampleRate)
    let first = PublishedPlan(
      serial: 0, structure: structure, memory: memory, stages: stages, earlyDecided: 0, lines: [],
      treatments: [], deckOrders: deckOrders, tapOrders: tapOrders)
    plans[first.pointer] = first
    kernel = .allocate(capacity: 1)
    kernel.initialize(
      to: KernelState(
        exchange: exchange, plan: first.pointer, newer: loops >= .v3 && mr_newer_processor(),
        widest: loops >= .v4 && mr_widest_processor(),
        scratch: Self.scratch(arena), telemetryInterval: Int(sampleRate * Self.telemetryInterval)))
  }

  /// Makes the memory in which the audio thread mixes one group of sinks.
  private static func scratch(_ arena: Arena) -> Scratch {
    let rows: UnsafeMutablePointer<Float> = arena.make(groupSinks * blockFrames, of: 0)
    return Scratch(
      rows: rows, spare: arena.make(blockFrames, of: 0), outputs: arena.make(groupSinks, of: rows),
      peaks: arena.make(groupSinks, of: 0), ways: arena.make(blockFrames, of: 1))
  }

  deinit {
    kernel.deinitialize(count: 1)
    kernel.deallocate()
  }

  /// Serial of the plan that the audio thread uses.
  public var adoptedSerial: UInt64 { exchange.pointee.adoptedSerial.load(ordering: .acquiring) }

  /// Frames that the audio thread has processed: the count in which orders name their frame. The next period begins at this frame; a
  /// period that is under way began at it. The count of each engine begins at 0.
  public var framesProcessed: UInt64 { exchange.pointee.framesProcessed.load(ordering: .acquiring) }

  /// Number of plans that are published and that the audio thread has not yet given back.
  package var livePlans: Int { plans.count }

  /// Publishes a mix; the audio thread adopts it at the start of its next period.
  ///
  /// Structure, levels, treatments and orders take effect together. A stage that the last structure also had continues from its present
  /// gain. A stage without a level is silent; a duck stage without a level does not duck, and a ceiling without a level is 1. An output
  /// without a treatment has no delay.
  /// - Parameter orders: for players and recorders; of each the order with the greatest serial counts. One that the structure had
  ///   before keeps its order, and one that is new needs its newest. Orders for others are ignored.
  /// - Returns: the plan's serial; the plan is in use when `adoptedSerial` has reached it.
  @discardableResult
  public func publish(
    structure mix: MixStructure, levels: [StageKey: StageLevel], treatments: [PortID: OutputTreatment] = [:],
    orders: MediaOrders = MediaOrders()
  ) -> UInt64 {
    reclaim()
    serial += 1
    let known = Set(self.mix.sinks.map(\.endpoint))
    if mix != self.mix {
      stages.use(CompiledStructure.keys(of: mix), levels: levels, serial: serial, adopted: adoptedSerial)
      let media = MediaLayout(mix)
      structure = CompiledStructure(mix, media: media, stages: stages, serial: serial)
      deckOrders.use(media.decks.map { ObjectIdentifier($0) })
      tapOrders.use(media.taps.map { ObjectIdentifier($0) })
      structureSerial = serial
      if stages.count > memory.capacity { memory = StageStore(count: stages.count) }
      self.mix = mix
      let sinks = Set(mix.sinks.map(\.endpoint))
      lines = lines.filter { sinks.contains($0.key) }
    }
    stages.set(levels)
    set(orders)
    self.treatments = treatments
    treat(known: known)
    send()
    return serial
  }

  /// Publishes new levels of some stages and new orders for some players and recorders, and leaves everything else as it is.
  /// - Returns: the plan's serial; the plan is in use when `adoptedSerial` has reached it.
  @discardableResult
  public func publish(
    changing levels: StageChanges, orders: MediaOrders = MediaOrders()
  ) -> UInt64 {
    reclaim()
    serial += 1
    for change in levels.list { stages.change(change.key, change.level) }
    set(orders)
    send()
    return serial
  }

  private func set(_ orders: MediaOrders) {
    for (store, order) in orders.decks { deckOrders.set(store, order.order) }
    for (store, order) in orders.taps { tapOrders.set(store, order.order) }
  }

  // MARK: Early levels

  /// The stage of a key, for `EarlySender.send`; nil for a key that the structure does not have.
  public func earlyStage(_ key: StageKey) -> EarlySender.Stage? { stages.earlyStage(key) }

  /// Marks an early level as decided: the next plan that is published confirms or reverts it.
  /// - Parameter serial: the number that `EarlySender.send` returned.
  public func decide(early serial: UInt64) { earlyDecided = serial }

  /// Publishes the decision about the last early level, unless a plan was published since the decision.
  public func publishDecision() {
    if earlyPublished < earlyDecided { publish(changing: [:]) }
  }

  /// Computes the delay of each sink, and makes delay lines for sinks that are delayed for the first time, or have got a chain of effects.
  /// - Parameter known: sinks of the structure before.
  private func treat(known: Set<MixStructure.Endpoint>) {
    sinkTreatments = mix.sinks.map { sink in sink.output.map { treatment(mix.outputs[$0].id) } }
    let longest = Int(sampleRate * Self.longestDelay)
    for (sink, treatment) in zip(mix.sinks, sinkTreatments) {
      let delay = treatment?.delay ?? 0
      guard delay > 0 || sink.insert != nil, lines[sink.endpoint] == nil else { continue }
      lines[sink.endpoint] = DelayStore(
        longest: longest, fadeFrames: max(1, Int(sampleRate * Self.delayFade)),
        delay: known.contains(sink.endpoint) ? 0 : delay)
    }
    sinkLines = mix.sinks.map { lines[$0.endpoint] }
  }

  /// Makes a plan and publishes it for the audio thread. A plan that was not adopted yet is replaced and freed.
  private func send() {
    let plan = PublishedPlan(
      serial: serial, structure: structure, memory: memory, stages: stages, earlyDecided: earlyDecided,
      lines: sinkLines, treatments: sinkTreatments, deckOrders: deckOrders, tapOrders: tapOrders)
    earlyPublished = earlyDecided
    plans[plan.pointer] = plan
    if let displaced = exchange.pointee.pending.exchange(plan.pointer, ordering: .acquiringAndReleasing) {
      plans[displaced] = nil
    }
  }

  /// The treatment of an output, limited to values that the audio thread can use.
  private func treatment(_ output: PortID) -> OutputTreatment {
    var treatment = treatments[output] ?? OutputTreatment()
    treatment.delay = min(max(treatment.delay, 0), Int(sampleRate * Self.longestDelay))
    return treatment
  }

  /// Frees the plans that the audio thread has given back.
  private func reclaim() {
    var next = exchange.pointee.retired.exchange(nil, ordering: .acquiringAndReleasing)
    while let plan = next {
      next = plan.pointee.next
      plans[plan] = nil
    }
  }

  /// Reads the telemetry records that have arrived, oldest first, and frees plans that are no longer used. The ring holds half a second
  /// of records with 300 channels, or with 200 if all are of players and recorders, and more with fewer; call this often enough that it
  /// does not fill up.
  public func drainTelemetry(_ body: (borrowing TelemetryRecord) -> Void) {
    reclaim()
    telemetry.drain(body)
  }
}
