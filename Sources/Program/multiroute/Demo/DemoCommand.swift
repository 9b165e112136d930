import Commands
import JackHost
import JackServer
import OSC
import OSCSurface
import Presets
import Router
import SessionModel

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
    let library = folders.rememberingLibrary()
    let preset = try library.read("usb-and-headphones", telling: context.console)
    let script = DemoScript.usbAndHeadphones
    let listeners = try Sockets.open([.udp(host: "127.0.0.1", port: 0)])
    let stage: DemoStage
    do { stage = try DemoStage(media: "\(share)/presets/media") } catch {
      throw CommandFailure(.unavailable, "multiroute: the simulated stage could not be built: \(error)")
    }
    defer { stage.server.stop() }
    var settings = Router.Settings()
    settings.serverName = stage.server.name
    let desk = PresetDesk(library, examples: share, order: [], ReloadCommands(), context.console)
    let front = OSCFront(listeners) { errand throws(SessionError) in
      if case .process = errand.job {
        throw SessionError(.denied, "the demonstration processes no files; `multiroute run` does")
      }
      guard !errand.job.writes else {
        throw SessionError(.denied, "the demonstration writes no presets; `multiroute run` does")
      }
      try desk.add(errand)
    }
    let service = RouterService(settings, server: JackAudio(), listeners: [front.surface])
    defer { front.close() }
    desk.open(to: service, front.surface)
    defer { desk.close() }
    var isRunning = true
    defer { if isRunning { service.stopAndWait() } }
    try front.open(to: service)
    service.wait { _ = await $0.apply(preset) }
    guard try service.join(until: signals, waits: false, context.console) != nil else { return }

    var show = try DemoShow(stage, script, front.endpoints[0], context)
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
