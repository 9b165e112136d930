import CRealtime
import Commands
import OSC
import Presets
import Router
import SessionModel
import SessionPolicy
import Surface

/// `multiroute run`: the router as a daemon, until a signal.
enum RunCommand {
  static func perform(_ options: RunOptions, _ context: Context) throws(CommandFailure) {
    // Before any thread is made, so that all of them leave the signals to this one.
    let signals = ProcessSignals(survivingBrokenPipes: true)
    let settings = try RunSettings(options, context)
    let preset = try options.preset.map { name throws(CommandFailure) in
      try settings.folders.library.read(name, telling: context.console)
    }
    let log = try options.eventFile.map { path throws(CommandFailure) in try EventFile(path) }
    let sockets = try Sockets.bind(settings.osc)
    let server = options.startsServer ? try Self.startServer(settings, options, context) : nil
    defer { server?.stop() }

    let file = StateFile(path: "\(settings.folders.state)/\(settings.clientName).json")
    if !file.isOurs {
      context.console.tell(
        "multiroute: nothing is kept against a crash: \(settings.folders.state) cannot be written, or another router keeps its state there"
      )
    }
    let left = file.read()
    let kept = options.isFresh || !settings.restoresAfterCrash ? nil : left
    let voice = EventVoice(options.logLevel, context.console)
    let service = try Self.service(settings, options, sockets, file, left?.taken) { event in
      log?.append(event)
      voice.say(event)
    }
    defer { service.stopAndWait() }
    // Whoever ends us may end the server at the same moment, and a new one would be for nobody.
    defer { server?.endKeeping() }
    if let preset {
      if kept?.preset == preset.id.name {
        context.console.tell(
          "multiroute: the last run did not end in order; its settings are restored (--fresh begins from the preset)"
        )
      }
      service.apply(preset, restoring: kept)
    }
    if !mr_lock_memory() {
      context.console.tell(
        "multiroute: memory is not locked, so that sound may break when the system swaps; raise the limit (ulimit -l unlimited)"
      )
    }
    guard try service.join(until: signals, waits: options.waitsForServer, context.console) else { return }
    Self.sayReady(service, sockets, settings, context)
    Self.serve(signals, service, options, settings, context)
  }

  private static func service(
    _ settings: RunSettings, _ options: RunOptions, _ sockets: [UDPSocket], _ file: StateFile,
    _ owed: TakenCables?, record: @escaping @Sendable (OSCMessage) -> Void
  ) throws(CommandFailure) -> RouterService {
    var router = Router.Settings(
      version: Version.current, address: sockets[0].localAddress.description, epoch: Epoch.now)
    (router.clientName, router.serverName, router.admission) = (
      settings.clientName, settings.server, settings.admission
    )
    (router.stateFile, router.owed, router.allowsPeriodChange) = (file, owed, options.allowsPeriodChange)
    router.bridgeFolders = settings.bridgeFolders
    do throws(SocketError) {
      return try RouterService(
        router, backend: JackAudio(), sockets: sockets, record: record)
    } catch {
      throw CommandFailure(.internalError, "\(error)")
    }
  }

  /// The server of `--start-server`; with `--wait`, one that cannot be started is one to wait for.
  private static func startServer(
    _ settings: RunSettings, _ options: RunOptions, _ context: Context
  ) throws(CommandFailure) -> OwnServer? {
    do throws(CommandFailure) { return try OwnServer.start(named: settings.server, context) } catch {
      guard options.waitsForServer else { throw error }
      for line in error.lines { context.console.tell(line) }
      return nil
    }
  }

  /// Says where the router is, and before that which devices of the preset are not there yet.
  private static func sayReady(
    _ service: RouterService, _ sockets: [UDPSocket], _ settings: RunSettings, _ context: Context
  ) {
    let rules = settings.admission.hosts.map(\.description)
    let guests =
      rules.isEmpty ? "nobody yet: give \"hosts\" in the configuration" : rules.joined(separator: ", ")
    let state = service.wait { await $0.snapshot }
    for direction in [Direction.output, .input] {
      for port in state[direction].values where port.isNamedByPreset && !port.isAvailable {
        let names =
          port.bridge.map { "its bridge \($0.tool.rawValue)" }
          ?? port.memberGlobs.map(\.text).joined(separator: ", ")
        let node = port.node.map { " of \($0)" } ?? ""
        context.console.tell("multiroute: \(direction.rawValue) \(port.id) waits for \(names)\(node)")
      }
    }
    for socket in sockets where !socket.localAddress.isLoopback {
      context.console.tell("multiroute: OSC is open to the network at \(socket.localAddress) for \(guests)")
    }
    let addresses = sockets.map(\.localAddress.description).joined(separator: ",")
    context.console.tell("multiroute: ready jack=\(state.server.clientName) osc=\(addresses)")
  }

  /// Waits for signals: hang-up reads the preset again, the others end it; a second Ctrl-C ends it at once.
  private static func serve(
    _ signals: ProcessSignals, _ service: RouterService, _ options: RunOptions, _ settings: RunSettings,
    _ context: Context
  ) {
    while let signal = signals.next() {
      guard signal == .hangUp else { break }
      guard let name = options.preset else { continue }
      do throws(CommandFailure) {
        service.apply(try settings.folders.library.read(name, telling: context.console))
        context.console.tell("multiroute: read \(name) again")
      } catch {
        for line in error.lines { context.console.tell(line) }
        context.console.tell("multiroute: \(name) could not be read again; nothing was changed")
      }
    }
    signals.release(.interrupt)
  }
}

extension RouterService {
  /// Brings the router to what a preset names, and to what a crash left.
  func apply(_ preset: Preset, restoring kept: KeptState? = nil) {
    wait { router in await router.apply(preset, restoring: kept) }
  }
}
