internal import CRealtime
public import MixKernel
internal import MixLoops
public import SessionModel
internal import Synchronization

/// The control side of the mix: turns descriptions into plans, hands them to the audio thread and reads what it measured.
///
/// All functions are for one thread at a time, and not for the audio thread. That thread works on `kernel` alone.
public final class MixEngine {
  /// The audio thread's state. It lives as long as the engine: stop the audio thread before letting the engine go.
  public let kernel: UnsafeMutablePointer<KernelState>
  /// The plan that brought the present structure.
  public private(set) var structureSerial: UInt64 = 0
  /// The newest plan.
  public private(set) var serial: UInt64 = 0

  /// Sends levels ahead of the plans that decide on them.
  public let early: EarlySender

  private let shared: ExchangeStore
  private let exchange: UnsafeMutablePointer<Exchange>
  /// Numbers of the last early level that was decided on, and of the last one whose decision was published.
  private var earlyDecided: UInt64 = 0
  private var earlyPublished: UInt64 = 0
  private let arena = Arena()
  private let sampleRate: Double
  private var mix = MixStructure()
  private var treatments: [PortID: OutputTreatment] = [:]
  private var stages = StageTable()
  private var structure: CompiledStructure
  private var memory: StageStore
  /// Delay lines by sink.
  private var lines: [PortHandle: DelayStore] = [:]
  /// What is done to each sink, and its delay line if it has one; in the order of the structure.
  private var sinkTreatments: [OutputTreatment?] = []
  private var sinkLines: [DelayStore?] = []
  /// Plans that the audio thread has, may get or has not given back.
  private var plans: [UnsafeMutablePointer<Plan>: PublishedPlan] = [:]
  private var record = TelemetryRecord()
  private var clock = TickClock()

  /// Longest delay in seconds; as `/output/<o>/delay` (osc contract, section 2).
  private static let longestDelay = 2.0
  /// Length of the crossfade when a delay changes, in seconds.
  private static let delayFade = 0.02
  /// Time between telemetry records in seconds.
  private static let telemetryInterval = 0.01

  /// Makes an engine with an empty mix.
  /// - Parameters:
  ///   - sampleRate: frames per second.
  ///   - loops: the newest build of the loops to use, if this processor runs it; others than the newest are for tests.
  public init(sampleRate: Double, loops: LoopBuild = .v4) {
    self.sampleRate = sampleRate
    structure = CompiledStructure(mix, stages: stages, serial: 0)
    memory = StageStore(count: stages.count)
    shared = ExchangeStore()
    exchange = shared.pointer
    early = EarlySender(shared)
    let first = PublishedPlan(
      serial: 0, structure: structure, memory: memory, stages: stages, earlyDecided: 0, lines: [],
      treatments: [])
    plans[first.pointer] = first
    kernel = .allocate(capacity: 1)
    kernel.initialize(
      to: KernelState(
        exchange: exchange, plan: first.pointer, newer: loops >= .v3 && mr_newer_processor(),
        widest: loops >= .v4 && mr_widest_processor(),
        scratch: Self.scratch(arena), telemetryInterval: Int(sampleRate * Self.telemetryInterval)))
  }

  /// Makes the audio thread's room for one group of sinks.
  private static func scratch(_ arena: Arena) -> Scratch {
    let rows: UnsafeMutablePointer<Float> = arena.make(groupSinks * blockFrames, of: 0)
    return Scratch(
      rows: rows, spare: arena.make(blockFrames, of: 0), outputs: arena.make(groupSinks, of: rows),
      peaks: arena.make(groupSinks, of: 0))
  }

  deinit {
    kernel.deinitialize(count: 1)
    kernel.deallocate()
  }

  /// Serial of the plan that the audio thread uses.
  public var adoptedSerial: UInt64 { exchange.pointee.adoptedSerial.load(ordering: .acquiring) }

  /// Frames that the audio thread has processed.
  public var framesProcessed: UInt64 { exchange.pointee.framesProcessed.load(ordering: .acquiring) }

  /// Plans that the audio thread has, may get or has not given back.
  package var livePlans: Int { plans.count }

  /// Publishes a mix; the audio thread adopts it at the start of its next period.
  ///
  /// Structure, levels and treatments take effect together. A key that the last structure had too goes on from where it is;
  /// one that has no level is silent, or not ducked. An output without a treatment has no delay and a ceiling of 1.
  /// - Returns: the plan's serial, for `adoptedSerial` to reach.
  @discardableResult
  public func publish(
    structure mix: MixStructure, levels: [StageKey: StageLevel], treatments: [PortID: OutputTreatment] = [:]
  ) -> UInt64 {
    reclaim()
    serial += 1
    let known = Set(self.mix.sinks.map(\.port))
    if mix != self.mix {
      stages.use(CompiledStructure.keys(of: mix), levels: levels, serial: serial, adopted: adoptedSerial)
      structure = CompiledStructure(mix, stages: stages, serial: serial)
      structureSerial = serial
      if stages.count > memory.capacity { memory = StageStore(count: stages.count) }
      self.mix = mix
      let sinks = Set(mix.sinks.map(\.port))
      lines = lines.filter { sinks.contains($0.key) }
    }
    stages.set(levels)
    self.treatments = treatments
    treat(known: known)
    send()
    return serial
  }

  /// Publishes new levels of some stages and leaves everything else as it is.
  /// - Returns: the plan's serial, for `adoptedSerial` to reach.
  @discardableResult
  public func publish(changing levels: [StageKey: StageLevel]) -> UInt64 {
    reclaim()
    serial += 1
    for (key, level) in levels { stages.change(key, level) }
    send()
    return serial
  }

  // MARK: Early levels

  /// A stage as `early` takes it; nil for a key that the structure does not mention.
  public func earlyStage(_ key: StageKey) -> EarlySender.Stage? { stages.earlyStage(key) }

  /// Counts an early level as decided on: the next plan says whether it stays.
  /// - Parameter serial: its number.
  public func decide(early serial: UInt64) { earlyDecided = serial }

  /// Publishes the decision on the last early level, unless a plan has been published since.
  public func publishDecision() {
    if earlyPublished < earlyDecided { publish(changing: [:]) }
  }

  /// Finds out what is done to each sink, and makes the delay lines that are wanted first now.
  /// - Parameter known: sinks that were there before.
  private func treat(known: Set<PortHandle>) {
    sinkTreatments = mix.sinks.map { sink in sink.output.map { treatment(mix.outputs[$0].id) } }
    let longest = Int(sampleRate * Self.longestDelay)
    for (sink, treatment) in zip(mix.sinks, sinkTreatments) {
      guard let delay = treatment?.delay, delay > 0, lines[sink.port] == nil else { continue }
      lines[sink.port] = DelayStore(
        longest: longest, fadeFrames: max(1, Int(sampleRate * Self.delayFade)),
        delay: known.contains(sink.port) ? 0 : delay)
    }
    sinkLines = mix.sinks.map { lines[$0.port] }
  }

  /// Hands a plan over.
  private func send() {
    let plan = PublishedPlan(
      serial: serial, structure: structure, memory: memory, stages: stages, earlyDecided: earlyDecided,
      lines: sinkLines, treatments: sinkTreatments)
    earlyPublished = earlyDecided
    plans[plan.pointer] = plan
    if let displaced = exchange.pointee.pending.exchange(plan.pointer, ordering: .acquiringAndReleasing) {
      plans[displaced] = nil
    }
  }

  /// What is done to an output, within what the audio thread can do.
  private func treatment(_ output: PortID) -> OutputTreatment {
    var treatment = treatments[output] ?? OutputTreatment()
    treatment.delay = min(max(treatment.delay, 0), Int(sampleRate * Self.longestDelay))
    treatment.ceiling = treatment.ceiling.isFinite ? max(treatment.ceiling, 0) : 1
    return treatment
  }

  /// Frees what the audio thread has given back.
  private func reclaim() {
    var next = exchange.pointee.retired.exchange(nil, ordering: .acquiringAndReleasing)
    while let plan = next {
      next = plan.pointee.next
      plans[plan] = nil
    }
  }

  /// Reads the telemetry that has arrived, oldest first, and frees plans that are done with. Call it every 10 to 20 ms.
  public func drainTelemetry(_ body: (borrowing TelemetryRecord) -> Void) {
    reclaim()
    clock.compare()
    while read() { body(record) }
  }

  /// Reads one record.
  private func read() -> Bool {
    let start = exchange.pointee.telemetry.read.load(ordering: .relaxed)
    guard exchange.pointee.telemetry.written.load(ordering: .acquiring) != start else { return false }
    record.periods = Int(word(start + TelemetryLayout.periods))
    record.frames = long(start + TelemetryLayout.frames)
    record.serial = long(start + TelemetryLayout.serial)
    record.structureSerial = long(start + TelemetryLayout.structureSerial)
    record.adoptNanoseconds = clock.nanoseconds(word(start + TelemetryLayout.adopt))
    record.stagesNanoseconds = clock.nanoseconds(word(start + TelemetryLayout.stages))
    record.sourcesNanoseconds = clock.nanoseconds(word(start + TelemetryLayout.sources))
    record.sinksNanoseconds = clock.nanoseconds(word(start + TelemetryLayout.sinks))
    record.longestNanoseconds = clock.nanoseconds(word(start + TelemetryLayout.longest))
    let sources = Int(word(start + TelemetryLayout.sourceCount))
    let sinks = Int(word(start + TelemetryLayout.sinkCount))
    let first = start + TelemetryLayout.header
    (record.sourcePeaks, record.brokenBlocks) = meters(first, sources)
    (record.sinkPeaks, record.limitedSamples) = meters(first + 2 * sources, sinks)
    exchange.pointee.telemetry.read.store(start + Int(word(start)), ordering: .releasing)
    return true
  }

  /// Reads pairs of a peak and a count.
  private func meters(_ start: Int, _ count: Int) -> (peaks: [Float], counts: [UInt32]) {
    var (peaks, counts): ([Float], [UInt32]) = ([], [])
    peaks.reserveCapacity(count)
    counts.reserveCapacity(count)
    for channel in 0..<count {
      peaks.append(Float(bitPattern: word(start + 2 * channel)))
      counts.append(word(start + 2 * channel + 1))
    }
    return (peaks, counts)
  }

  private func word(_ place: Int) -> UInt32 {
    exchange.pointee.telemetry.words[place & (exchange.pointee.telemetry.capacity - 1)]
  }

  private func long(_ place: Int) -> UInt64 { UInt64(word(place)) | UInt64(word(place + 1)) << 32 }
}
