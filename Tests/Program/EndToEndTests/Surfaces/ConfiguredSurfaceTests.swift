import AwaitedEvents
import Foundation
import OSC
import TestKit
import Testing

/// Surfaces of the configuration, which get feedback without having said anything.
@Suite struct ConfiguredSurfaceTests {
  /// A configuration with one surface that receives at a port.
  private func configuration(_ port: UInt16, _ more: String = "") -> String {
    """
    { "multiroute": 1, "surfaces": [
      { "name": "wall", "host": "127.0.0.1", "port": \(port), "subscriptions": ["/strip", "/output"], "strips": 4 }\(more) ] }
    """
  }

  @Test("A panel that cannot speak shows the show from the start, and again after the router was killed")
  func panel() async throws {
    let server = try await PrivateServer()
    let stage = try server.stage()
    for device in House.devices { try stage.do(device) }
    let folder = try TemporaryFolder()
    let panel = try Panel()
    let file = try folder.write(configuration(panel.port), to: "config.json")
    let preset = try folder.write(House.show, to: "show.json")
    func router(_ port: UInt16) throws -> RouterProcess {
      try RouterProcess(
        preset: preset, server: server.name, in: folder,
        flags: ["--config", file, "--osc", "127.0.0.1:\(port)"], owners: [stage, server])
    }
    var run = try router(0)
    #expect(panel.value("/strip/1/name") == ["show"])
    #expect(panel.value("/output/usb/gain") == [0.0])
    let epoch = panel.epoch
    let surface = try ControlSurface(port: run.port)
    #expect(try surface.number("/bank/1/size") == 4)
    try surface.send("/output/usb/gain", -6.0)
    #expect(panel.value("/output/usb/gain", -6.0) == [-6.0])
    run.child.send(signal: SIGKILL)
    #expect(run.child.wait(seconds: 10) != nil)
    panel.forget()
    run = try router(run.port)
    #expect(panel.value("/strip/1/name") == ["show"])
    try ControlSurface(port: run.port).send("/output/usb/gain", -7.0)
    #expect(panel.value("/output/usb/gain", -7.0) == [-7.0])
    #expect(panel.epoch != epoch)
    #expect(run.terminate().code == 0)
  }

  @Test("A panel that is switched off costs one packet a second, and is right again when it is back")
  func comeback() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    var panel: Panel? = try Panel()
    let port = panel!.port
    let file = try folder.write(configuration(port), to: "config.json")
    let router = try RouterProcess(
      preset: folder.write(House.show, to: "show.json"), server: server.name, in: folder,
      flags: ["--config", file], owners: [server])
    let surface = try ControlSurface(port: router.port)
    _ = panel!.value("/output/usb/gain")
    panel = nil
    // The first packets are refused.
    let end = ContinuousClock.now + .seconds(10)
    while try surface.counters()["withheld"]! < 3, ContinuousClock.now < end {
      try surface.send("/output/usb/gain/inc", -0.1)
    }
    try surface.send("/output/usb/gain", -9.0)
    let back = try Panel(port: port)
    #expect(back.value("/output/usb/gain", -9.0) == [-9.0])
  }

  @Test("A reload adds a surface; a mistake is told and changes nothing")
  func reload() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let (first, second) = (try Panel(), try Panel())
    let file = try folder.write(configuration(first.port), to: "config.json")
    let router = try RouterProcess(
      preset: folder.write(House.show, to: "show.json"), server: server.name, in: folder,
      flags: ["--config", file], owners: [server])
    let surface = try ControlSurface(port: router.port)
    _ = first.value("/output/usb/gain")
    _ = try folder.write(
      configuration(first.port, #", { "name": "x", "host": "tablet", "port": 1 }"#), to: "config.json")
    #expect(throws: ControlSurface.Refusal.self) { try surface.send("/system/reload") }
    #expect(router.child.errors.line(containing: "'tablet' is not the address of a machine") != nil)
    _ = try folder.write(
      configuration(
        first.port,
        #", { "name": "door", "host": "127.0.0.1", "port": \#(second.port), "boolean": "tf", "subscriptions": ["/output"] }"#
      ),
      to: "config.json")
    try surface.send("/system/reload")
    #expect(second.value("/output/usb/mute") == [.boolean(false)])
    try surface.send("/output/usb/gain", -3.0)
    #expect(first.value("/output/usb/gain", -3.0) == [-3.0])
  }
}

/// A device that receives OSC at a port and sends nothing.
private final class Panel {
  private let socket: UDPSocket
  private let receiver: UDPReceiver
  private let arrived = AwaitedEvents<OSCMessage>()
  /// The number of messages that count no more.
  private var forgotten = 0

  init(port: UInt16 = 0) throws {
    socket = try UDPSocket(port: port)
    receiver = try UDPReceiver(socket: socket, name: "mrtest-panel") { [arrived] packet, _ in
      for message in (try? packet.get())?.messages ?? [] { arrived.add(message) }
    }
  }

  deinit { receiver.stop() }

  var port: UInt16 { socket.localAddress.port }

  /// Starts with an empty picture.
  func forget() { forgotten = arrived.all.count }

  /// Waits until an address shows a value; returns what it shows last.
  func value(_ address: String, _ expected: OSCArgument? = nil) -> [OSCArgument]? {
    var shown: [OSCArgument]?
    _ = arrived.wait {
      shown = arrived.all.dropFirst(forgotten).last { $0.address == address }?.arguments
      return shown != nil && (expected == nil || shown == [expected!])
    }
    return shown
  }

  /// The epoch of the newest bundle.
  var epoch: OSCArgument? { arrived.all.last { $0.address == "/seq" }?.arguments.first }
}
