import EffectBlocks
import EffectKernel
import Effects
import EffectsHost
import SessionModel
import SystemCalls
import Threads

/// Carries out what the state wants of effects at one server. Belongs to the policy thread.
///
/// A new chain gets the stream's sound, and the stream is heard without it, until the effects program has loaded it or has failed; then the
/// stream crosses over to it. No program runs without a chain.
final class EffectsKeeper {
  /// Gets each report of the effects program, on that program's thread.
  typealias Report = @Sendable (EffectReport) -> Void

  private let settings: Settings
  private let report: Report
  /// Runs the effects program; nil until a stream has effects.
  private var host: EffectsHost?
  /// Why there is none, as a sentence without its point.
  private(set) var failure: String?
  private var chains: [StreamAddress: KeptChain] = [:]
  /// The chains whose memory is in use, by their places there: those of streams, and those that an older plan may still have.
  private var places: [Int: Place] = [:]
  /// What the effects program was last told.
  private var told: [Int: EffectChain] = [:]
  /// The sessions as far as they are carried out.
  private var carried = Registry<SessionID, Session>()
  private var (period, retries) = (0, 0)
  private var isBypassed = false
  /// The places of the chains that were late when the host last said so.
  private var late: [Int] = []
  /// Whether something has changed of which the law does not know.
  private var hasNews = false
  /// What the mix has.
  private(set) var mix: [StreamAddress: MixEffects] = [:]

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
    var changed = state.sessions.keys(changedSince: carried)
    carried = state.sessions
    if self.period != period {
      // A block has the length of a period, so all begins anew.
      if !chains.isEmpty {
        (changed, chains, places, told) = (state.sessions.keys.map(\.self), [:], [:], [:])
      }
      stop()
      self.period = period
    }
    for id in changed {
      for stream in state.sessions[id]?.streams.values ?? [] where stream.hasEffects {
        hasNews = true
        follow(stream, at: StreamAddress(session: id, stream: stream.id))
      }
    }
    guard !chains.isEmpty || !places.isEmpty else { return }
    for address in chains.keys
    where state.sessions[address.session]?.streams[address.stream]?.hasEffects != true {
      chains[address] = nil
    }
    if isBypassed != state.isBypassingEffects {
      isBypassed = state.isBypassingEffects
      for chain in chains.values { chain.store.setBypassed(isBypassed) }
    }
    if state.effectRetries != retries || fade != nil {
      retries = state.effectRetries
      for address in chains.keys { chains[address]?.forgive() }
      host?.tryAgain()
    }
    keep(over: fade ?? state.ramp.target)
    refresh()
  }

  private func follow(_ stream: SessionStream, at address: StreamAddress) {
    let wanted = EffectChain(
      channels: stream.channels, effects: stream.effects.map { $0.resolved(channels: stream.channels) })
    if chains[address]?.wanted.channels == wanted.channels {
      chains[address]?.want(wanted)
    } else {
      chains[address] = begun(wanted)
    }
    if let store = chains[address]?.store { places[store.place]?.chain = wanted }
  }

  /// Begins a chain; nil if no program can run it.
  private func begun(_ wanted: EffectChain) -> KeptChain? {
    guard let memory = startedHost()?.memory,
      let place = (0..<EffectLimits.chains).first(where: { places[$0]?.store == nil })
    else { return nil }
    let store = EffectNodeStore(
      memory, place: place, channels: wanted.channels, period: period, change: settings.rate / 500)
    store.setBypassed(isBypassed)
    places[place] = Place(store: store, chain: wanted)
    return KeptChain(wanted, store)
  }

  private func startedHost() -> EffectsHost? {
    if let host { return host }
    guard let program = settings.program else {
      failure = "the program multiroute-effects is not installed beside multiroute"
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
    mix = chains.mapValues { MixEffects(store: $0.store, isOpen: $0.isOpen, delay: $0.delay(period: period)) }
  }

  // MARK: The mix

  /// Whether a chain waits until it may be heard, so that `advance` must be called later.
  var isSwitching: Bool { chains.values.contains { $0.isSettled && !$0.isOpen } }

  /// Whether a chain that no stream has any more is still in a plan, so that `release` must be called later.
  var isReleasing: Bool { places.count > chains.count }

  /// Notes the engine frame at which everything has faded in that began to do so in the last publication.
  func endFadeIn(at frame: UInt64) {
    for (address, chain) in chains where chain.begin == nil { chains[address]?.begin = frame }
  }

  /// Lets the chains be heard that are ready at an engine frame.
  /// - Returns: whether there was any.
  func advance(at frame: UInt64) -> Bool {
    var hasAdvanced = false
    for (address, chain) in chains where chain.isSettled && !chain.isOpen {
      guard let begin = chain.begin, begin + UInt64(chain.delay(period: period)) <= frame else { continue }
      chains[address]?.isOpen = true
      hasAdvanced = true
    }
    if hasAdvanced { refresh() }
    return hasAdvanced
  }

  /// Lets all chains be heard that are settled, before the first period.
  func open() {
    for (address, chain) in chains where chain.isSettled { chains[address]?.isOpen = true }
    refresh()
  }

  /// Whether a plugin is still to be loaded.
  var isLoading: Bool { chains.values.contains(where: \.isLoading) }

  /// Leaves all effects out that are not loaded.
  func giveUp(_ why: String) {
    for address in chains.keys { chains[address]?.giveUp(why) }
  }

  /// Ends the chains that no plan has any more.
  func release() { keep(over: 0) }

  // MARK: Reports

  /// Takes a report of the effects program. Returns a sentence for the operator if there is something to say, with the address that it is about.
  func take(_ report: EffectReport) -> (address: String, sentence: String)? {
    hasNews = true
    defer { refresh() }
    switch report {
    case .started: return nil
    case .loaded(let place, let revision, let latency, let effects):
      guard let address = address(of: place) else { return nil }
      chains[address]?.load(revision: revision, latency: latency, effects)
      let notes = effects.sorted { $0.key < $1.key }.flatMap(\.value.notes)
      return notes.isEmpty ? nil : (Self.name(address), notes.joined(separator: "; "))
    case .unloaded(let place):
      if let address = address(of: place) { chains[address]?.unload() }
      return nil
    case .latency(let place, let frames):
      if let address = address(of: place) { chains[address]?.delay(by: frames) }
      return nil
    case .faulty(let place, _, let why):
      guard let address = address(of: place.chain) else { return nil }
      chains[address]?.fail(place.effect, why)
      return (
        "\(Self.name(address))/effect/\(place.effect + 1)",
        "\(why); \(address.session).\(address.stream) goes on without it until it is tried again"
      )
    case .late(let places):
      // The host says so every second.
      guard places != late else { return nil }
      late = places
      let streams = places.compactMap(address).map { "\($0.session).\($0.stream)" }
      return (
        "/effects",
        "the effects of \(streams.joined(separator: ", ")) are late again and again; the machine is too slow for them"
      )
    case .ended(let why, let again):
      for address in chains.keys { chains[address]?.unload() }
      return ("/effects", "\(why); it starts again \(again > 0 ? "in \(again) s" : "at once")")
    // Plugins print what they like, and surfaces show what is told as an error.
    case .said: return nil
    }
  }

  private func address(of place: Int) -> StreamAddress? {
    chains.first { $0.value.store.place == place }?.key
  }

  private static func name(_ address: StreamAddress) -> String {
    "/session/\(address.session)/stream/\(address.stream)"
  }

  /// Whether something has changed since the last call.
  func takeNews() -> Bool {
    defer { hasNews = false }
    return hasNews
  }

  /// The reports of all streams with effects.
  func reports(_ state: RouterState) -> [(StreamAddress, EffectsReport)] {
    guard failure == nil else { return failures(state) }
    return chains.map { ($0.key, $0.value.report(rate: settings.rate, period: period)) }
  }

  /// The reports without an effects program.
  private func failures(_ state: RouterState) -> [(StreamAddress, EffectsReport)] {
    state.sessions.values.flatMap { session in
      session.streams.values.filter(\.hasEffects).map { stream in
        var report = EffectsReport()
        report.effects = stream.effects.map { _ in
          var facts = EffectFacts()
          (facts.state, facts.why) = (.faulty, failure)
          return facts
        }
        return (StreamAddress(session: session.id, stream: stream.id), report)
      }
    }
  }
}
