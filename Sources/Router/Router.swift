import Bridges
import MixEngine
public import OSC
import Presets
public import SessionModel
import SessionPolicy
public import Surface
import Threads

/// The router: owns the state, and takes every change the same way, from an event to the mix, the cables and the feedback.
///
/// An actor on a thread of its own (`ThreadExecutor`). It is the only one that talks to the audio server; the audio thread meets
/// it in the mix's plan alone.
public actor Router {
  nonisolated let executor = ThreadExecutor(name: "mr-policy")
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let settings: Settings
  let backend: any AudioBackend
  /// Sends a packet to a peer; called on the policy thread.
  let send: @Sendable (Surface.Datagram) -> Void
  /// Hears of every event with its serial number, for a log.
  let record: @Sendable (OSCMessage) -> Void
  /// What the sockets counted, for `/system/stats`.
  let counters: @Sendable () -> [(name: String, count: Int)]
  let start = MonotonicTime.now
  /// The short way of faders; shared with the threads that hear them.
  let lane = FaderLane()

  var state = RouterState()
  var surface: Surface
  /// The mix, while there is an audio server.
  var mix: MixKeeper?
  var book = PortBook()
  var reconciler = Reconciler()
  var exclusives = ExclusiveSources()
  /// What was taken at a server that is gone, or by a run that did not end in order.
  var owedBefore: TakenCables?
  var meters = MeterReader()
  /// The ways through the matrix that the server was told of; nil when it must be told again.
  var paths: Set<LatencyPath>?
  /// Others' ports as they were when they were looked at last.
  var seenPorts: [SystemPort] = []
  /// Ports that came or went and are not looked at yet.
  var settling = PortSettling()
  var watch = SourceWatch()
  var sounds = SoundWatch()
  var quiet = QuietWatch()
  /// When each output came last, and as which arrival.
  var arrivals: [PortID: (number: Int, time: Double)] = [:]
  /// Keeps the programs that ports are bridged by; nil until a preset names one.
  var bridges: BridgeRunner?
  /// What it was told to keep last.
  var bridged: [BridgeKey: BridgeProgram] = [:]
  var liveness = Liveness()
  /// Whether the server's directory of devices has not answered yet, so that some devices may not be recognised.
  var awaitsNodes = false
  /// A preset that waits for the audio server.
  var waitingPreset: (preset: Preset, kept: KeptState?)?
  /// The id of the preset that was applied last.
  var preset: String?
  /// What was kept last, of which state, and when it may be kept again.
  var lastKept: KeptState?
  var keptOf = RouterState()
  var nextKeeping = 0.0
  /// Ports that the server refused, until it is told.
  var refusals: [String] = []
  /// Syncs that wait for a plan to be adopted.
  var syncs: [(sync: Surface.Sync, serial: UInt64)] = []
  var xruns = 0
  var isStopping = false
  /// Why the audio server was not found at the last try.
  var lastFailure: BackendError?
  /// The period that the server was asked for last, in frames; nil while nobody wishes one.
  var askedPeriod: Int?
  /// When refused cables are tried again, and how long the last wait was; what is refused for good is tried ever more rarely.
  var nextRetry = 0.0
  var retryDelay = 0.05

  /// What the router needs to know to start.
  public struct Settings: Sendable {
    /// Our client name at the audio server.
    public var clientName = "multiroute"
    /// The server's name; nil is the default one.
    public var serverName: String?
    public var version: String
    /// Where OSC is received, for `/system/info`.
    public var address: String
    public var admission = Admission()
    /// Folders that are searched for the programs of bridges before those of PATH.
    public var bridgeFolders: [String] = []
    /// Where the state is kept against a crash; nil keeps nothing.
    public var stateFile: StateFile?
    /// Cables that an earlier run took and did not give back; they are, if its server is still the one.
    public var owed: TakenCables?
    /// Whether sessions may change the period of the whole server.
    public var allowsPeriodChange = false
    /// A number that a restarted router does not share.
    public var epoch: Int32
    public init(version: String, address: String, epoch: Int32) {
      (self.version, self.address, self.epoch) = (version, address, epoch)
    }
  }

  public init(
    _ settings: Settings, backend: sending any AudioBackend,
    send: @escaping @Sendable (Surface.Datagram) -> Void,
    record: @escaping @Sendable (OSCMessage) -> Void = { _ in },
    counters: @escaping @Sendable () -> [(name: String, count: Int)] = { [] }
  ) {
    (self.settings, self.backend, self.send) = (settings, backend, send)
    owedBefore = settings.owed
    (self.record, self.counters) = (record, counters)
    let identity = Surface.Identity(
      name: "multiroute", version: settings.version, epoch: settings.epoch, address: settings.address)
    surface = Surface(identity: identity, admission: settings.admission) {
      state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }
  }

  /// Seconds since the start.
  var now: Double { MonotonicTime.now - start }

  // MARK: The way of a change

  /// Handles a packet that came in.
  public func receive(_ packet: OSCPacket, from peer: PeerAddress) {
    // Nothing brings the sound back while the router fades out to leave.
    guard !isStopping else { return }
    let time = now
    if let early = lane.takeSent(of: peer) { mix?.engine.decide(early: early) }
    let trial = surface.take(packet, from: peer, &state, at: time)
    // The sound first: finding out who has to be told takes several times as long.
    let change = updateMix(at: time)
    mix?.engine.publishDecision()
    guard let trial else { return }
    noteFader(packet, trial, change)
    surface.statistics = statistics
    settle(surface.conclude(trial, state), at: time)
  }

  /// Handles an event of the world; one that is refused changes nothing and is told to who listens for errors.
  @discardableResult
  public func happen(_ event: Event) -> SessionError? {
    do throws(SessionError) {
      lane.forget()
      let time = now
      let outcome = try surface.happen(event, &state, at: time)
      settle(outcome, at: time)
      return nil
    } catch {
      tell(.error(client: 0, address: "", error))
      return error
    }
  }

  func tell(_ notification: Notification) {
    deliver(surface.tell(notification, state, at: now))
  }

  /// Brings the audio up to date first, so that a fader is heard before anybody is told.
  ///
  /// - Parameter time: when it happened, so that a fade is as long as it was asked to be.
  func settle(_ outcome: Surface.Outcome, at time: Double) {
    updateMix(at: time)
    deliver(outcome)
    // Half a device is not looked at; what it needs is done with the rest of it.
    if !settling.isPending, needsWiring(since: wired) { wire() }
    askForPeriod()
  }

  func deliver(_ outcome: Surface.Outcome) {
    for event in outcome.events { record(event) }
    for datagram in outcome.datagrams { send(datagram) }
    for sync in outcome.syncs { syncs.append((sync, mix?.engine.serial ?? 0)) }
    answerSyncs()
  }

  /// Answers what the audio thread has caught up with, and what waits for no cable that is yet to be made.
  func answerSyncs() {
    guard !syncs.isEmpty, !settling.isPending else { return }
    let adopted = mix?.engine.adoptedSerial ?? .max
    for (sync, serial) in syncs where serial <= adopted {
      send(Surface.Datagram(to: sync.peer, .message(sync.message)))
    }
    syncs.removeAll { $0.serial <= adopted }
  }

  /// The state that the cables were last made from.
  var wired = RouterState()
  /// When latencies are asked for again, which the server looks up port by port.
  var nextLatencies = 0.0
  /// Set while cables are made, which itself changes the state.
  var isWiring = false

  /// Whether a change of the state asks for other cables.
  private func needsWiring(since before: RouterState) -> Bool {
    mix != nil
      && !(before.sessions.allMatch(state.sessions, Self.haveSameCables)
        && before.outputs.allMatch(state.outputs, Self.haveSameMembers)
        && before.inputs.allMatch(state.inputs, Self.haveSameMembers))
  }

  private static func haveSameCables(_ old: Session, _ new: Session) -> Bool {
    old.capture.destinations == new.capture.destinations && old.capture.channels == new.capture.channels
      && old.capture.sessions.filter(\.value.isOn).map(\.key)
        == new.capture.sessions.filter(\.value.isOn).map(\.key)
      && old.streams.allMatch(new.streams) {
        $0.sources == $1.sources && $0.isExclusive == $1.isExclusive && $0.never == $1.never
      }
  }

  private static func haveSameMembers(_ old: Port, _ new: Port) -> Bool {
    old.members == new.members && old.memberGlobs == new.memberGlobs && old.node == new.node
      && old.isPlugged == new.isPlugged && old.bridge == new.bridge
  }

  var statistics: [(name: String, count: Int)] {
    [("xruns", xruns), ("sessions", state.sessions.count), ("early", lane.count)] + meters.statistics
      + counters()
  }
}
