import Commands
import Demonstration
import JackHost
import JackServer
import OSC
import OSCSurface
import Presets
import Router
import SessionModel
import WebServer

/// `multiroute demo`: plays a show on a simulated stage, and checks what each output receives.
enum DemoCommand {
  static func perform(_ options: DemoOptions, _ context: Context) throws(CommandFailure) {
    let signals = ProcessSignals([.interrupt, .terminate], survivingBrokenPipes: true)
    guard let share = context.folders.share else {
      throw CommandFailure(
        .unreadableFile,
        "multiroute: the shipped presets and sounds were not found; set MULTIROUTE_SHARE to their folder"
      )
    }
    var folders = context.folders
    folders.presets = ["\(share)/presets/demo", "\(share)/presets"]
    folders.media = ["\(share)/presets/media"]
    let scratch = try DemoFolder()
    defer { scratch.remove() }
    folders.state = scratch.path
    let recordings = try options.recordingFolder.map { path throws(CommandFailure) in
      try DemoFolder(path).path
    }
    let library = folders.rememberingLibrary()
    let preset = try library.read("doors", telling: context.console)
    let script = DemoScript.doors
    let listeners = try Sockets.open([.udp(host: "127.0.0.1", port: 0)])
    let stage: DemoStage
    let files: PlayedFiles
    do {
      files = try PlayedFiles(folder: folders.media[0])
      stage = try DemoStage(media: folders.media[0])
    } catch {
      throw CommandFailure(.unavailable, "multiroute: the simulated stage could not be built: \(error)")
    }
    defer { stage.server.stop() }
    var settings = Router.Settings()
    settings.serverName = stage.server.name
    settings.media = MediaSettings(folders: folders.media, recordings: recordings ?? scratch.path)
    let (media, routers, effects) = (MediaDesk(folders), SearchDesk.routers(), SearchDesk.effects())
    let desk = PresetDesk(library, examples: share, order: [], ReloadCommands(), context.console)
    let web = try WebPorts(http: .tcp(host: "127.0.0.1", port: 0))
    let front = OSCFront(
      listeners, web.sockets,
      runErrand: { errand throws(SessionError) in
        switch errand.job {
        case .process:
          throw SessionError(.denied, "the demonstration processes no files; `multiroute run` does")
        case .media(.foreign):
          throw SessionError(.denied, "the demonstration leaves the desktop alone; `multiroute run` does not")
        case .media(let job): try media.add(errand, job)
        case .token, .code:
          throw SessionError(.notFound, "the demonstration has no tokens; `multiroute run` has")
        case .routers: try routers.add(errand)
        case .effects: try effects.add(errand)
        case .metrics:
          throw SessionError(.notFound, "the demonstration has no metrics; `multiroute run` has")
        default:
          guard !errand.job.writes else {
            throw SessionError(.denied, "the demonstration writes no presets; `multiroute run` does")
          }
          try desk.add(errand)
        }
      }, findFiles: media.find)
    let service = RouterService(settings, server: JackAudio(), listeners: [front.surface, media])
    defer { front.close() }
    desk.open(to: service, front.surface)
    media.open(to: service, front.surface)
    routers.open(to: service, front.surface)
    effects.open(to: service, front.surface)
    defer {
      desk.close()
      media.close()
      media.stopLibrary()
    }
    var isRunning = true
    defer { if isRunning { service.stopAndWait() } }
    try front.open(to: service)
    // Without libwebsockets there is no page, and everything else.
    let servers = (try? web.serve(nil, media, front, name: "multiroute", nil)) ?? []
    defer { for server in servers { server.stop() } }
    service.wait { _ = await $0.apply(preset) }
    guard try service.join(until: signals, waits: false, context.console) != nil else { return }

    var show = try DemoShow(
      stage, script, front.endpoints[0], page: servers.isEmpty ? nil : web.page, files,
      recordings: recordings ?? scratch.path, context)
    do { try show.play(options, until: signals) } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(.internalError, "multiroute: the demonstration failed: \(error)")
    }
    service.stopAndWait()
    isRunning = false
    stage.stop()
    try show.conclude()
  }
}
