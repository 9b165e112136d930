import ControlInterface
import EffectBlocks
import EffectKernel
import Effects
import EffectsHost
import SessionModel
import SystemCalls
import Threads

/// Carries out what the state wants of effects at one server. Belongs to the policy thread.
///
/// A new chain gets the sound of its place, which is heard without it, until the effects program has loaded it or has failed; then the sound
/// crosses over to it. No program runs without a chain.
final class EffectsKeeper {
  /// Gets each report of the effects program, on that program's thread.
  typealias Report = @Sendable (EffectReport) -> Void

  private let settings: Settings
  private let report: Report
  /// Runs the effects program; nil until a place has effects.
  private var host: EffectsHost?
  /// Why there is none, as a sentence without its point.
  private(set) var failure: String?
  private var chains: [InsertPlace: KeptChain] = [:]
  /// The chains whose memory is in use, by their places there: those of the state, and those that an older plan may still have.
  private var places: [Int: Place] = [:]
  /// The places whose chains have no memory yet, because older plans may still use all of it.
  private var waiting: Set<InsertPlace> = []
  /// What the effects program was last told.
  private var told: [Int: EffectChain] = [:]
  /// What has chains, as far as it is carried out.
  private var carried = InsertOwners()
  private var (period, retries) = (0, 0)
  private var isBypassed = false
  /// The places of the chains that were late when the host last said so.
  private var late: [Int] = []
  /// Whether something has changed of which the law does not know.
  private var hasNews = false
  /// What the mix has.
  private(set) var mix: [InsertPlace: MixEffects] = [:]

  struct Settings {
    /// Frames per second.
    var rate: Int
    /// The path of the effects program; nil if it is not installed.
    var program = InstalledEffects.usualProgram
    /// The real-time priority of the program; 0 for none.
    var priority: Int32 = 0
  }

  /// The real-time priority of the program beside an audio server: below JACK's clients, which have 5 or more.
  static let priority: Int32 = 4

  private struct Place {
    weak var store: EffectNodeStore?
    var chain: EffectChain
  }

  init(_ settings: Settings, report: @escaping Report) { (self.settings, self.report) = (settings, report) }

  deinit { stop() }

  /// Ends the effects program on a thread of its own.
  private func stop() {
    guard let host else { return }
    OwnThread("mr-effects-end") { host.stop() }.detach()
    self.host = nil
  }

  // MARK: Changes of the state

  /// Carries out a state.
  ///
  /// - Parameters:
  ///   - period: frames per period of the server.
  ///   - fade: seconds of a recall's fade, in which controls move; nil if the change is no recall.
  func follow(_ state: RouterState, period: Int, fading fade: Double?) {
    if self.period != period {
      // A block has the length of a period, so all begins anew.
      if !chains.isEmpty { (carried, chains, places, told) = (InsertOwners(), [:], [:], [:]) }
      stop()
      self.period = period
    }
    let changed = state.inserts(changedSince: carried)
    carried = InsertOwners(state)
    let waited = waiting.filter { state.insert(at: $0)?.isEmpty == false && !changed.contains($0) }
    waiting = []
    for place in changed + waited {
      hasNews = true
      follow(place, in: state)
    }
    guard !chains.isEmpty || !places.isEmpty else { return }
    for place in chains.keys where state.insert(at: place)?.isEmpty != false { end(place) }
    followSideChains(state)
    if isBypassed != state.isBypassingEffects {
      isBypassed = state.isBypassingEffects
      for chain in chains.values { chain.store.setBypassed(isBypassed && !chain.fallsSilent) }
    }
    if state.effectRetries != retries || fade != nil {
      retries = state.effectRetries
      for place in chains.keys { chains[place]?.forgive() }
      host?.tryAgain()
    }
    keep(over: fade ?? state.ramp.target)
    refresh()
  }

  private func follow(_ place: InsertPlace, in state: RouterState) {
    let channels = state.channels(at: place)
    guard (1...Insert.mostChannels).contains(channels) else {
      chains[place] = nil
      return
    }
    let effects = state.insert(at: place)?.effects ?? []
    let wanted = EffectChain(
      channels: channels,
      sideChannels: effects.contains { $0.sideChain != nil } ? Self.sideChannels(of: channels) : 0,
      effects: effects.map { $0.resolved(channels: channels) })
    if chains[place]?.wanted.channels == channels {
      chains[place]?.want(wanted)
    } else {
      chains[place] = begun(wanted, at: place)
    }
    let fallsSilent = state.insert(at: place)?.fallback == .mute
    chains[place]?.setFallsSilent(fallsSilent)
    chains[place]?.store.setBypassed(isBypassed && !fallsSilent)
    if let store = chains[place]?.store { places[store.place]?.chain = wanted }
  }

  /// Channels of the sound that the side chains of a chain hear.
  private static func sideChannels(of channels: Int) -> Int { min(channels, EffectLimits.sideChannels) }

  private func followSideChains(_ state: RouterState) {
    for place in chains.keys {
      let source = state.insert(at: place)?.sideChain.map { (source: $0, isThere: state.has($0)) }
      if chains[place]?.sideChain?.isThere != source?.isThere { hasNews = true }
      chains[place]?.sideChain = source
    }
  }

  /// Begins a chain; nil if no program can run it, or if it must wait for memory.
  private func begun(_ wanted: EffectChain, at place: InsertPlace) -> KeptChain? {
    guard let memory = startedHost()?.memory else { return nil }
    guard let number = freeNumber else {
      waiting.insert(place)
      return nil
    }
    let store = EffectNodeStore(
      memory, place: number, channels: wanted.channels, sideChannels: Self.sideChannels(of: wanted.channels),
      period: period, change: settings.rate / 500)
    places[number] = Place(store: store, chain: wanted)
    return KeptChain(wanted, store)
  }

  /// The first part of the memory that neither a plan nor the effects program uses; nil if there is none. If a new chain took the part of an equal
  /// chain, the program would keep that one and load nothing, and the new chain would stay dry and "loading".
  private var freeNumber: Int? { (0..<EffectLimits.chains).first { places[$0] == nil } }

  /// Ends a chain: at once if crosspoints carry its sound, and otherwise when the sound has crossed from it.
  private func end(_ place: InsertPlace) {
    if place.isOfSinks, chains[place]?.leave() == true { return }
    chains[place] = nil
  }

  private func startedHost() -> EffectsHost? {
    if let host { return host }
    guard let program = settings.program else {
      failure = InstalledEffects.Failure.noProgram.description
      return nil
    }
    do throws(SystemError) {
      host = try EffectsHost(
        EffectsHost.Settings(
          program: program, rate: Double(settings.rate), frames: period, priority: settings.priority),
        report: report)
      failure = nil
    } catch { failure = "there is no memory for effects: \(error.reason)" }
    return host
  }

  /// Tells the effects program what runs. A chain that an older plan may still have goes on.
  private func keep(over seconds: Double) {
    places = places.filter { $0.value.store != nil }
    let wanted = places.mapValues(\.chain)
    guard wanted != told else { return }
    told = wanted
    host?.keep(wanted, seconds: seconds)
  }

  private func refresh() {
    mix = chains.mapValues {
      MixEffects(
        store: $0.store, isOpen: $0.isOpen, delay: $0.delay(period: period), sideChain: $0.sideChain?.source)
    }
  }

  // MARK: The mix

  /// Whether a chain waits until it may be heard, so that `advance` must be called later.
  var isSwitching: Bool { chains.values.contains { $0.isSettled && !$0.isOpen && !$0.isLeaving } }

  /// Whether a chain that no place has any more is still in a plan, or one waits for memory, so that `release` must be called later.
  var isReleasing: Bool {
    places.count > chains.count || !waiting.isEmpty || chains.values.contains(where: \.isLeaving)
  }

  /// Notes the engine frame at which everything has faded in that began to do so in the last publication.
  func endFadeIn(at frame: UInt64) {
    for (place, chain) in chains where chain.begin == nil { chains[place]?.begin = frame }
  }

  /// Lets the chains be heard that are ready at an engine frame.
  /// - Returns: whether there was any.
  func advance(at frame: UInt64) -> Bool {
    var hasAdvanced = false
    for (place, chain) in chains where chain.isSettled && !chain.isOpen && !chain.isLeaving {
      guard let begin = chain.begin, begin + UInt64(chain.delay(period: period)) <= frame else { continue }
      chains[place]?.open()
      hasAdvanced = true
    }
    if hasAdvanced { refresh() }
    return hasAdvanced
  }

  /// Lets all chains be heard that are settled, before the first period.
  func open() {
    for (place, chain) in chains where chain.isSettled { chains[place]?.open() }
    refresh()
  }

  /// Whether a plugin is still to be loaded.
  var isLoading: Bool { chains.values.contains(where: \.isLoading) }

  /// Leaves all effects out that are not loaded.
  func giveUp(_ why: String) {
    for place in chains.keys { chains[place]?.giveUp(why) }
  }

  /// Ends the chains that no plan has any more.
  /// - Returns: whether the sound has crossed from a chain, so that the mix can do without it, or a chain that waits can begin. Then the state must
  ///   be carried out again.
  func release() -> Bool {
    keep(over: 0)
    let left = chains.filter { $0.value.hasLeft }.keys
    guard !left.isEmpty || !waiting.isEmpty && freeNumber != nil else { return false }
    for place in left { chains[place] = nil }
    refresh()
    return true
  }

  /// Notes what plugins show.
  func noteMeters(in levels: inout MeterLevels) {
    guard let exchange = host?.memory.exchange else { return }
    for (address, chain) in chains { chain.noteMeters(of: address, exchange, in: &levels) }
  }

  // MARK: Reports

  /// Takes a report of the effects program. Returns a sentence for the operator if there is something to say, with the address that it is about.
  func take(_ report: EffectReport) -> (address: String, sentence: String)? {
    hasNews = true
    defer { refresh() }
    switch report {
    case .started: return nil
    case .loaded(let number, let revision, let latency, let effects):
      guard let place = place(of: number) else { return nil }
      chains[place]?.load(revision: revision, latency: latency, effects)
      let notes = chains[place]?.notes ?? []
      return notes.isEmpty ? nil : (place.address, notes.joined(separator: "; "))
    case .unloaded(let number):
      if let place = place(of: number) { chains[place]?.unload() }
      return nil
    case .latency(let number, let frames):
      if let place = place(of: number) { chains[place]?.delay(by: frames) }
      return nil
    case .faulty(let effect, _, let why):
      guard let place = place(of: effect.chain) else { return nil }
      chains[place]?.fail(effect.effect, why)
      return (
        "\(place.address)/effect/\(effect.effect + 1)",
        "\(why); \(place.name) \(chains[place]?.fallsSilent == true ? "is muted" : "goes on without it") until it is tried again"
      )
    case .late(let numbers):
      // The host says so every second.
      guard numbers != late else { return nil }
      late = numbers
      let names = numbers.compactMap(place).map(\.name)
      return (
        "/effects",
        "the effects of \(names.joined(separator: ", ")) are late again and again; the machine is too slow for them"
      )
    case .ended(let why, let again):
      for place in chains.keys { chains[place]?.unload() }
      return ("/effects", "\(why); it starts again \(again > 0 ? "in \(again) s" : "at once")")
    // Plugins print what they like, and surfaces show what is told as an error.
    case .said: return nil
    }
  }

  private func place(of number: Int) -> InsertPlace? {
    chains.first { $0.value.store.place == number }?.key
  }

  /// Whether something has changed since the last call.
  func takeNews() -> Bool {
    defer { hasNews = false }
    return hasNews
  }

  /// The reports of all places with effects.
  func reports(_ state: RouterState) -> [(InsertPlace, EffectsReport)] {
    state.inserts().compactMap { place in
      if let chain = chains[place] { return (place, chain.report(rate: settings.rate, period: period)) }
      return absence(of: place, in: state).map { (place, $0) }
    }
  }

  /// The report of a chain that cannot run.
  private func absence(of place: InsertPlace, in state: RouterState) -> EffectsReport? {
    let channels = state.channels(at: place)
    let isTooWide = channels > Insert.mostChannels
    guard let why = isTooWide ? "\(place.name) has \(channels) channels" : failure else { return nil }
    var report = EffectsReport()
    report.effects = (state.insert(at: place)?.effects ?? []).map { _ in
      var facts = EffectFacts()
      (facts.state, facts.why) = (.faulty, why)
      return facts
    }
    return report
  }
}
