public import ControlInterface
public import KeptState
import MixEngine
public import Presets
import Scenes
public import ServerInterface
public import SessionModel
import SessionPolicy
import SystemCalls
import Threads
import ZitaBridges

/// The router owns the state. Every change takes the same steps: decide, apply, publish.
///
/// The actor has a thread of its own (`ThreadExecutor`) and never waits for the audio server; `GraphThread` does that. It shares
/// only plans and telemetry with the audio thread.
public actor Router {
  nonisolated let executor = ThreadExecutor(name: "mr-policy")
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  var settings: Settings
  /// Makes all calls that may wait for the audio server.
  let graph: GraphThread
  let startTime = MonotonicTime.now

  var state = RouterState()
  let publishing: Publishing
  /// Whether the router looks for a server, joins one, or is connected.
  var phase = ServerPhase.seeking
  /// Values that outlive a connection.
  var between = BetweenConnections()
  let bridging: Bridging
  var presets = PresetsInForce()
  /// Writes the state to a file that the next run reads after a crash; nil if nothing is kept.
  var keeper: StateKeeper?
  /// Runs the players and recorders as the state wants.
  let media: MediaKeeper
  var counters = Counters()
  /// Watches the sound, the audio loop and the health of the router.
  var listening: Listening
  var departure = Departure.none

  /// The audio server, for calls that never wait.
  nonisolated var server: any AudioServer { graph.server }
  static let law: Law = { state, event, time throws(SessionError) in
    try Policy.reduce(&state, event, at: time)
  }

  /// Whether the router is about to leave the audio server. It silences all outputs first.
  enum Departure {
    case none
    /// The router leaves to join this server again, or another one.
    case leaving
    /// The router stops.
    case stopping
  }

  var isStopping: Bool { departure == .stopping }

  /// Counts since the router's start, across servers.
  struct Counters {
    var xruns = 0
    var audio = MeterReader.Counts()
  }

  /// Values that outlive a connection to an audio server.
  struct BetweenConnections {
    /// The ids of all devices that this run and earlier runs have found.
    var devices = KnownDevices()
    /// Why the last search for the audio server failed.
    var failure: AudioServerError?
    /// Connections that the router took away and has not given back: at a server that is gone, or in a run that
    /// crashed.
    var owed: TakenConnections?
    /// When the router left a server that lives on, in seconds since the start; nil once it has joined a server.
    var left: Double?
  }

  /// The preset in force, the preset that waits, and the recalls.
  struct PresetsInForce {
    /// A preset that waits for the audio server.
    var waiting: Waiting?
    /// The preset in force.
    var inForce: PresetInForce?
    /// The recall of the standby preset, if the router has decided it in advance.
    var prepared: PreparedRecall?
    /// The recall whose fade runs.
    var fading: FadingRecall?
    /// The levels that earlier recalls have not brought to their ends, because the operator stopped the fade or another recall left them out.
    var unfinished: [MarkedLevel] = []
    /// What the last recall could not do without an audio server, or without the channels of a device.
    var postponed: [Event] = []
    /// The state that an undo restores; nil if there is nothing to undo.
    var origin: RecallOrigin?

    struct Waiting {
      let preset: Preset
      let crashed: CrashedRun?
    }
  }

  /// The router's settings at the start.
  public struct Settings: Sendable {
    /// The router's client name at the audio server.
    public var clientName = "multiroute"
    /// The server's name; nil for the default server.
    public var serverName: String?
    /// Folders in which the router looks for the programs of bridges before it looks in PATH.
    public var bridgeFolders: [String] = []
    /// The file of the preset with which the run begins; nil if it begins without one.
    public var start: String?
    /// The file that keeps the state for the run after a crash; nil keeps nothing.
    public var stateFile: StateFile?
    /// The file that keeps the ids of found devices from run to run; nil keeps none.
    public var deviceFile: DeviceFile?
    /// Connections that an earlier run took away and did not give back. The router gives them back if the same server
    /// still runs.
    public var owed: TakenConnections?
    /// Where the sound files of players and recorders are.
    public var media = MediaSettings()
    /// Whether sessions may change the period of the whole server.
    public var allowsPeriodChange = false
    /// Whether a stop leaves the kept state for the next run.
    var isKeptForNextRun = false
    public init() {}
  }

  /// - Parameters:
  ///   - listeners: the listeners that get every change, in this order, on the policy thread.
  ///   - isInline: whether no call to the server ever waits, so that the policy thread makes all calls itself.
  public init(
    _ settings: Settings, server: any AudioServer, listeners: sending [any ControlListener] = [],
    isInline: Bool = false
  ) {
    self.settings = settings
    between.devices = settings.deviceFile?.read() ?? KnownDevices()
    let (executor, reference) = (executor, RouterReference())
    @Sendable func post(_ body: @escaping @Sendable (isolated Router) -> Void) {
      _ = executor.post(limit: .max) { reference.router?.assumeIsolated { body($0) } }
    }
    graph = GraphThread(server, isInline: isInline) { post { $0.followGraph() } }
    // Conditions of bridges are never dropped: there are few.
    bridging = Bridging(settings.bridgeFolders) { key, condition in
      post {
        $0.bridging.note(key, condition)
        $0.happen(.bridge(key.direction, key.port, condition))
      }
    }
    keeper = settings.stateFile.map { file in
      StateKeeper(file, start: settings.start) { sentence in
        post { $0.tell(.error(client: 0, address: "", SessionError(.io, sentence))) }
      }
    }
    let files = MediaFiles(settings.media)
    listening = Listening(health: HealthMonitor(recordings: files.recordings))
    media = MediaKeeper(files) { report in post { $0.take(report) } }
    publishing = Publishing(listeners)
    between.owed = settings.owed
    state.timeOfDayAtStart = Double(System.localtime(System.time()).sinceMidnight)
    reference.router = self
  }

  /// Seconds since the start.
  var now: Double { MonotonicTime.now - startTime }

  // MARK: The steps of a change

  /// Carries out a command on the policy thread, soon and in the order of the calls. Any thread.
  ///
  /// - Returns: false if the command was dropped because too many commands wait.
  public nonisolated func submit(_ command: some ControlCommand & Sendable) -> Bool {
    executor.post(limit: Self.mostWaiting) {
      self.assumeIsolated { router in
        var command = command
        router.carryOut(&command)
        command.finish()
      }
    }
  }

  /// Greatest number of waiting commands. Further commands are dropped, as the system drops packets for a full socket.
  private static let mostWaiting = 8_192

  /// Decides on a command, applies it, publishes what changed, and answers.
  func carryOut(_ command: inout some ControlCommand) {
    // No command may bring the sound back while the router fades out to stop.
    guard !isStopping else { return }
    // The command must be decided with all earlier notices of the server. Not every notice wakes the policy thread, so
    // take them here.
    if connection != nil { observe(server.takeNotices()) }
    let (time, before) = (now, state)
    if let early = command.takeEarlyLevel() { engine?.decide(early: early) }
    let told = command.decide(&state, at: time)
    // Update the sound first: publishing to the listeners takes several times as long.
    let change = updateMix(at: time)
    engine?.publishDecision()
    guard let told else { return }
    command.follow(soleMove(of: change))
    publish(told, from: before, at: time, by: command.author)
    let answers = command.answer(state, at: time) { statistics }
    publishing.add(answers, until: engine?.serial ?? 0)
    finishChange()
  }

  /// The one stage that a published change moved; nil if the change did anything else.
  private func soleMove(of change: MixChange?) -> SoleMove? {
    guard case .levels(let changes) = change, let move = changes.list.first, changes.list.count == 1,
      move.level.ramp.shape == .raisedCosine, let stage = engine?.earlyStage(move.key)
    else { return nil }
    return SoleMove(stage, to: move.level.target)
  }

  /// Decides on an event from outside, applies it and publishes the change. If the law refuses the event, nothing
  /// changes, and the listeners get the error.
  @discardableResult
  public func happen(_ event: Event) -> SessionError? {
    let error = attempt(event)
    if let error { tell(.error(client: 0, address: "", error)) }
    return error
  }

  /// Decides on an event, applies it and publishes the change. If the law refuses the event, nothing changes, and only
  /// the caller gets the error.
  public func attempt(_ event: Event) -> SessionError? {
    do throws(SessionError) {
      publishing.prepareForEvent()
      let (time, before) = (now, state)
      settle(try Self.law(&state, event, time), from: before, at: time)
      return nil
    } catch { return error }
  }

  /// Publishes a notification that does not change the state.
  public func tell(_ notification: Notification) { publish([notification], from: state, at: now) }

  /// Applies and publishes an accepted change. The audio comes first, so that a fader is heard before listeners get the change.
  ///
  /// - Parameters:
  ///   - time: the time of the event, so that a fade has its full length.
  ///   - fade: length of a recall's fade in seconds; nil if the change is no recall.
  func settle(
    _ told: [Notification], from before: RouterState, at time: Double, fading fade: Double? = nil
  ) {
    updateMix(at: time, fading: fade)
    publish(told, from: before, at: time)
    finishChange()
  }

  private func publish(
    _ told: [Notification], from before: RouterState, at time: Double, by author: Authorship? = nil
  ) {
    publishing.publish(told, from: before, to: state, at: time, by: author)
    keeper?.noteChange()
  }

  /// Sends answers, and asks for the period and the connections that follow from a published change.
  private func finishChange() {
    answerPending()
    askForPeriod()
    // While ports of a device are still appearing, decisions about connections wait until all ports have appeared.
    if let connection, !connection.settling.isPending {
      if ConnectionNeeds.differ(connection.wired, state) {
        wire()
      } else {
        // The next comparison then skips all objects that have not changed since.
        connection.wired.followObjects(of: state)
      }
    }
    handOver()
    followGraph()
  }

  /// Sends the answers whose plans the audio thread has adopted, unless ports or connections are still to be made.
  func answerPending() {
    guard publishing.hasPending, connection?.settling.isPending != true, isGraphDone else { return }
    publishing.answer(adopted: engine?.adoptedSerial ?? .max)
  }

  var statistics: [Statistic] {
    [
      Statistic("xruns", counters.xruns), Statistic("sessions", state.sessions.count),
      Statistic("broken", counters.audio.brokenBlocks), Statistic("longest", counters.audio.longest / 1_000),
      Statistic("load", Int((connection?.meters.load ?? 0).rounded())),
    ]
  }
}

/// A reference to the router for the graph thread and other parts, which are made before the router.
private final class RouterReference: @unchecked Sendable {
  /// Set once, before the first report; read on the policy thread.
  weak var router: Router?
}
