import CRealtime
import Commands
import ControlInterface
import EventLog
import FolderWatch
import JackHost
import KeptState
import MediaFolders
import OSC
import OSCSurface
import Presets
import Router
import ServiceDiscovery
import SessionModel
import SessionPolicy
import SystemCalls
import Version
import WebServer
import Writers

/// `multiroute run`: runs the router until it is stopped.
enum RunCommand {
  static func perform(_ options: RunOptions, _ context: Context) throws(CommandFailure) {
    try OpenFiles.require()
    try BackendChoice.settle(options, context)
    // Blocks the signals before any thread starts, so that only this thread receives them.
    let signals = ProcessSignals(survivingBrokenPipes: true)
    let log = LogStream(
      context.console, options.logFormat, journalStream: context.environment["JOURNAL_STREAM"])
    let context = Context(
      console: log.console, environment: context.environment, interruption: context.interruption)
    let watch = StartWatch(signals)
    var parts = Parts(log: log, reports: ServiceReports(context))
    var failure: CommandFailure?
    do throws(CommandFailure) { try run(options, signals, watch, &parts, context) } catch {
      log.tell(error)
      parts.session?.fail(error)
      failure = error
    }
    watch.finish()
    parts.reports?.sayStopping()
    let isComplete = end(parts)
    let code = failure?.exitCode ?? .success
    // An ordinary exit would free memory that a thread that was left behind may still use.
    guard isComplete else { System._exit(code.rawValue) }
    // The lines of the failure are printed already.
    if failure != nil { throw CommandFailure(code) }
  }

  /// The parts that have started and must be ended.
  private struct Parts {
    let log: LogStream
    let reports: ServiceReports?
    var events: EventFile?
    var server: OwnServer?
    var service: RouterService?
    var front: OSCFront?
    var desk: PresetDesk?
    var media: MediaDesk?
    var bus: BusDesk?
    var tokens: TokenDesk?
    var processes: ProcessDesk?
    var session: SessionDesk?
    var watch: FolderWatch?
    var web: [WebServer] = []
    var announcer: ServiceAnnouncer?
    /// Whether the next run goes on where this one ends.
    var isRestarting = false
  }

  /// Ends all parts in the reverse order of their start.
  ///
  /// - Returns: false if a thread was left behind.
  private static func end(_ parts: Parts) -> Bool {
    var ending = Ending()
    // The operator may end router and server at the same moment. A server restarted then would have no client.
    if let service = parts.service {
      parts.watch?.close()
      ending.stop {
        [
          server = parts.server, front = parts.front, desk = parts.desk, media = parts.media, bus = parts.bus,
          tokens = parts.tokens, processes = parts.processes, session = parts.session, web = parts.web,
          announcer = parts.announcer, isRestarting = parts.isRestarting
        ] in
        // Before anything stops, so that the next run finds the show as it was.
        if isRestarting { service.keepForNextRun() }
        announcer?.stop()
        session?.close()
        desk?.close()
        media?.close()
        bus?.close()
        processes?.close()
        server?.endKeeping()
        service.stopAndWait()
        front?.close()
        for server in web { server.stop() }
        tokens?.close()
        media?.stopLibrary()
      }
    }
    if let server = parts.server { ending.stopServer { server.stop() } }
    if ending.isIncomplete {
      parts.front?.removeFiles()
      parts.log.console.tell(
        "multiroute: the audio server does not release the router; the router ends without it")
    }
    parts.events?.finish(within: ending.secondsForLines)
    parts.log.finish(within: ending.secondsForLines)
    return !ending.isIncomplete
  }

  private static func run(
    _ options: RunOptions, _ signals: ProcessSignals, _ watch: StartWatch, _ parts: inout Parts,
    _ context: Context
  ) throws(CommandFailure) {
    var settings = try RunSettings(options, context)
    var library = settings.folders.rememberingLibrary()
    let preset = try options.preset.map { name throws(CommandFailure) in
      try library.read(name, telling: context.console)
    }
    // From here on the lines tell what happens in the course of an evening.
    parts.log.beginTimes()
    let console = context.console
    parts.events = try options.eventFile.map { path throws(CommandFailure) in
      try eventFile(path, console)
    }
    parts.session = SessionDesk.join(context, watch)
    let ownFolders = settings.folders.presets
    var session = parts.session?.awaitProject(watch)
    guard !watch.isInterrupted else { return }
    if let session {
      settings.clientName = session.folder.clientName
      library = session.folder.library(over: ownFolders)
    }
    var listeners = try Sockets.open(settings.osc)
    let web = try WebPorts(http: settings.http, metrics: settings.metrics)
    try Sockets.openOwn(of: settings.clientName, settings.folders.sockets, &listeners, console)
    parts.server = options.startsServer ? try startServer(settings, options, context) : nil

    let file = StateFile(
      path: session?.folder.kept ?? "\(settings.folders.state)/\(settings.clientName).json")
    if let refusal = file.refusal { console.tell("multiroute: crash recovery is off: \(refusal)") }
    let left = Self.leftover(in: file, context)
    let kept = options.isFresh || !settings.restoresAfterCrash ? nil : left
    session?.left = kept
    let reloads = ReloadCommands()
    let desk = PresetDesk(
      library, examples: settings.folders.share, order: settings.scenes, reloads, console)
    let unlisted = UnlistedHosts(file: settings.configurationFile) { console.tell($0) }
    let (media, bus, recovery) = (MediaDesk(settings.folders), BusDesk(), RecoveryDesk())
    let (metrics, routers) = (MetricsDesk(settings.folders), SearchDesk.routers())
    let effects = SearchDesk.effects()
    let processes = ProcessDesk(media.folders)
    let tokens = TokenDesk(
      TokenFile(path: "\(settings.folders.state)/\(settings.clientName).tokens"), console)
    let front = OSCFront(
      listeners, web.sockets, http: web.endpoint, admission: settings.admission, tokens: tokens.tokens,
      unlisted: unlisted,
      tell: { console.tell("multiroute: \($0)") },
      runErrand: { errand throws(SessionError) in
        switch errand.job {
        case .media(.foreign(let verb)): try bus.control(verb, for: errand)
        case .media(let job): try media.add(errand, job)
        case .process: try processes.add(errand)
        case .recover: try recovery.add(errand)
        case .metrics: try metrics.add(errand)
        case .routers: try routers.add(errand)
        case .effects: try effects.add(errand)
        case .token, .code: try tokens.add(errand)
        default: try desk.add(errand)
        }
      }, findFiles: media.find, counters: { media.counters })
    let log = EventLog(options.logLevel, file: parts.events) { [log = parts.log] in log.tell($0) }
    let service = service(
      settings, options, file, preset, left?.head.taken,
      // The bus before the surfaces: who hears that a player plays may ask the desktop at once.
      listeners: [log, bus, front.surface, processes, media, metrics, StandbyWatch(desk)]
        + (parts.session.map { [$0] } ?? []) + (parts.reports.map { [$0] } ?? []))
    (parts.service, parts.front, parts.desk) = (service, front, desk)
    (parts.media, parts.bus, parts.processes) = (media, bus, processes)
    desk.open(to: service, front.surface)
    media.open(to: service, front.surface)
    processes.open(to: service, front.surface)
    recovery.open(to: service, front.surface)
    routers.open(to: service, front.surface)
    effects.open(to: service, front.surface)
    if settings.joinsDesktop { bus.open(to: service, front.surface, name: settings.clientName, media) }
    metrics.open(to: service, front)
    tokens.open(to: service, front.surface)
    parts.tokens = tokens
    try front.open(to: service)
    parts.web = try web.serve(metrics, media, front, name: settings.clientName, console)
    let beginning =
      session.map { Beginning($0, preset, library, console) } ?? Beginning(preset, kept, library, console)
    if let preset = beginning.preset {
      service.wait { router in _ = await router.apply(preset, restoring: beginning.crashed) }
    }
    front.sizeBanks(by: service)
    if !mr_lock_memory() {
      console.tell(
        "multiroute: memory is not locked, so sound may break up when the system swaps; raise the limit (ulimit -l unlimited)"
      )
    }
    guard !watch.finish() else { return }
    parts.reports?.say("looks for a JACK server")
    guard let state = try service.join(until: signals, waits: options.waitsForServer, console) else { return }
    parts.watch = PresetWatch.start(preset, followsEdits: options.followsEdits, desk, console)
    if settings.isAnnounced {
      let services =
        front.endpoints.compactMap(NetworkService.init) + NetworkService.ofPages(at: web.endpoint)
      parts.announcer = ServiceAnnouncer(
        name: settings.clientName, version: Version.current, services
      ) { console.tell("multiroute: \($0)") }
    }
    sayReady(state, front.endpoints, web.endpoint, settings, console)
    parts.reports?.sayReady()
    if let session {
      parts.session?.open(
        SessionDesk.House(service: service, presets: desk, folders: ownFolders, start: preset), session)
    }
    parts.isRestarting = serve(signals, Reloading(reloads, desk, options, service, front, context))
  }

  private static func eventFile(_ path: String, _ console: Console) throws(CommandFailure) -> EventFile {
    do throws(LineFileError) {
      return try EventFile(path: path) { console.tell("multiroute: \($0)") }
    } catch {
      throw CommandFailure(.unreadableFile, "multiroute: \(path) cannot be written: \(error)")
    }
  }

  private static func service(
    _ settings: RunSettings, _ options: RunOptions, _ file: StateFile, _ start: Preset?,
    _ owed: TakenConnections?, listeners: sending [any ControlListener]
  ) -> RouterService {
    var router = Router.Settings()
    (router.clientName, router.serverName) = (settings.clientName, settings.server)
    (router.stateFile, router.owed, router.allowsPeriodChange) = (file, owed, options.allowsPeriodChange)
    router.deviceFile = DeviceFile(path: "\(settings.folders.state)/\(settings.clientName).devices")
    router.start = start.map { KeptPreset($0).path }
    router.bridgeFolders = settings.bridgeFolders
    router.media = MediaSettings(
      folders: settings.folders.media, recordings: settings.folders.recordings,
      ownFolder: settings.folders.ownMedia,
      loudnessFile: "\(settings.folders.state)/loudness")
    return RouterService(router, server: JackAudio(), listeners: listeners)
  }

  /// The state that an earlier run left because it crashed.
  private static func leftover(in file: StateFile, _ context: Context) -> KeptDocument? {
    switch file.read() {
    case .nothing: return nil
    case .state(let kept):
      for problem in kept.problems { context.console.tell("multiroute: kept state: \(problem)") }
      return kept
    case .unreadable(let reason):
      context.console.tell("multiroute: \(file.path) is ignored: \(reason)")
      return nil
    }
  }

  /// Starts the server of `--start-server`. With `--wait`, a failure is printed and the router waits for a server.
  private static func startServer(
    _ settings: RunSettings, _ options: RunOptions, _ context: Context
  ) throws(CommandFailure) -> OwnServer? {
    do throws(CommandFailure) { return try OwnServer.start(named: settings.server, context) } catch {
      guard options.waitsForServer else { throw error }
      for line in error.lines { context.console.tell(line) }
      return nil
    }
  }

  /// Prints which devices of the preset are still missing, and then the line `ready`.
  private static func sayReady(
    _ state: RouterState, _ endpoints: [Endpoint], _ web: Endpoint?, _ settings: RunSettings,
    _ console: Console
  ) {
    let rules = settings.admission.hosts.map(\.description)
    let guests =
      rules.isEmpty
      ? "but no host is allowed yet: add \"hosts\" to the configuration"
      : "for \(rules.joined(separator: ", "))"
    for direction in [Direction.output, .input] {
      for port in state[direction].values where port.isNamedByPreset && !port.isAvailable {
        let names =
          port.bridge.map { "its bridge \($0.tool.rawValue)" }
          ?? port.memberGlobs.map(\.text).joined(separator: ", ")
        let node = port.node.map { " of \($0)" } ?? ""
        console.tell("multiroute: \(direction.rawValue) \(port.id) waits for \(names)\(node)")
      }
    }
    for unmatched in state.unmatched {
      console.tell("multiroute: \(unmatched.owner): \(unmatched.glob.sentence)")
    }
    for endpoint in endpoints where !endpoint.isLocal {
      console.tell("multiroute: OSC is open to the network at \(endpoint) \(guests)")
    }
    if let web, !web.isLocal {
      console.tell(
        "multiroute: HTTP is open to the network at \(web.description.dropFirst(Endpoint.tcpPrefix.count)) \(guests)"
      )
    }
    let admission = settings.admission
    let all = endpoints + (web.map { [$0] } ?? [])
    for warning in admission.warnings(receivingAt: all) + admission.unreachableSurfaces(from: endpoints) {
      console.tell("multiroute: \(warning)")
    }
    let addresses = endpoints.map(\.description).joined(separator: ",")
    console.tell("multiroute: ready jack=\(state.server.clientName) osc=\(addresses)")
  }

  /// Handles signals: a hang-up reloads the preset, the others end the router. A second Ctrl-C ends the process at once.
  ///
  /// - Returns: whether the router ends for a restart.
  private static func serve(_ signals: ProcessSignals, _ reloading: Reloading) -> Bool {
    reloading.commands.open()
    var last: ProcessSignals.Signal?
    while let signal = signals.next() {
      last = signal
      guard signal == .hangUp else { break }
      reloading.perform()
    }
    signals.release(.interrupt)
    return last == .restart
  }
}
