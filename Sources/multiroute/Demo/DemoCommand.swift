import Commands
import Glibc
import OSC
import Presets
import Router
import SessionModel
import StageKit

/// `multiroute demo`: the main job with nothing prepared, and the proof that it is done.
enum DemoCommand {
  static func perform(_ options: DemoOptions, _ context: Context) throws(CommandFailure) {
    let signals = ProcessSignals([.interrupt, .terminate], survivingBrokenPipes: true)
    guard let share = context.folders.share else {
      throw CommandFailure(
        .unreadableFile,
        "multiroute: the shipped presets and sounds are nowhere to be found; set MULTIROUTE_SHARE to their folder"
      )
    }
    let library = PresetLibrary(folders: ["\(share)/presets"])
    let preset = try library.read("usb-and-headphones", telling: context.console)
    let script = DemoScript.usbAndHeadphones
    let sockets = try Sockets.bind([Endpoint(host: "127.0.0.1", port: 0)])
    let stage: DemoStage
    do { stage = try DemoStage(media: "\(share)/presets/media") } catch {
      throw CommandFailure(.unavailable, "multiroute: the simulated stage could not be built: \(error)")
    }
    defer { stage.server.stop() }
    var settings = Router.Settings(
      version: Version.current, address: sockets[0].localAddress.description, epoch: Epoch.now)
    settings.serverName = stage.server.name
    let service: RouterService
    do throws(SocketError) {
      service = try RouterService(settings, backend: JackAudio(), sockets: sockets)
    } catch {
      throw CommandFailure(.internalError, "multiroute: \(error)")
    }
    var isRunning = true
    defer { if isRunning { service.stopAndWait() } }
    service.apply(preset)
    guard try service.join(until: signals, waits: false, context.console) else { return }

    var show = try DemoShow(stage, script, sockets[0].localAddress, context)
    do { try show.play(options, until: signals) } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(.internalError, "multiroute: the demonstration broke off: \(error)")
    }
    service.stopAndWait()
    isRunning = false
    stage.stop()
    try show.conclude()
  }
}
