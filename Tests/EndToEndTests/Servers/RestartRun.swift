import OSC
import StageKit
import TestKit
import Testing

/// A router through one death of its server after the other: what it was is what it is, and nothing is left behind.
final class RestartRun {
  /// A server that can be ended and started again, with the devices and programs of a show.
  struct Host {
    var name: String
    var environment: [String: String] = [:]
    var start: () throws -> Void
    var end: (_ isKilled: Bool) -> Void
    var stage: () throws -> StageProcess
    /// Plugs in the devices, starts the programs, and has the ear listen to the device of the band.
    var furnish: (StageProcess) throws -> Void
    /// The stage's device, and its channel, at which the band is heard.
    var ear: (device: String, channel: Int)
    /// Bytes that the server's own library loses with every client that it closes.
    var lostByLibrary = 0
  }

  /// Seconds from the server's return.
  struct Times {
    /// Until media services were reset.
    var reset: Double
    /// Until the band was heard at the ear.
    var sound: Double
    /// Of the latter, how long the devices and programs were there before.
    var soundOfDevices: Double
  }

  private let host: Host
  private let folder: TemporaryFolder
  let router: RouterProcess
  let surface: ControlSurface
  private var stage: StageProcess?
  private let ports: Set<String>
  private let routes: String
  /// dB of the band, as it was set last.
  private var gain: Float = -6
  private(set) var times: [Times] = []
  /// What the router held after each restart.
  private(set) var vitals: [Vitals] = []

  init(_ host: Host, preset: String) throws {
    self.host = host
    folder = try TemporaryFolder()
    let stage = try host.stage()
    try host.furnish(stage)
    router = try RouterProcess(
      preset: folder.write(preset, to: "show.json"), server: host.name, in: folder,
      environment: host.environment)
    surface = try ControlSurface(port: router.port)
    try surface.subscribe("/event/*")
    try surface.send("/session/show/stream/band/gain", .float(gain))
    try stage.do("wait-signal \(host.ear.device) \(host.ear.channel) -40 5")
    ports = Set(try stage.names("ports").filter { $0.hasPrefix("multiroute:") })
    routes = try surface.text("/session/show/stream/band/route")
    self.stage = stage
    try expectSound()
  }

  /// Ends the server while sound plays and commands arrive, starts it again, and looks at everything.
  func restart(isKilled: Bool) throws {
    for step in 0..<20 { try surface.tell("/session/show/stream/band/gain", .float(Float(-step))) }
    host.end(isKilled)
    gain = gain == -6 ? -12 : -6
    for step in 0..<20 { try surface.tell("/session/show/stream/band/gain", .float(Float(-step))) }
    try surface.tell("/session/show/stream/band/gain", .float(gain))
    #expect(try surface.event("media", seconds: 10) == ["lost"])
    #expect(try surface.event("active") == ["show", 0, "system"])
    stage?.kill()
    stage = nil
    try host.start()
    let start = ContinuousClock.now
    #expect(try surface.event("media", seconds: 10) == ["reset"])
    let reset = start.secondsSince
    #expect(try surface.event("active") == ["show", 1, "system"])
    let stage = try host.stage()
    self.stage = stage
    try host.furnish(stage)
    let furnished = start.secondsSince
    try stage.do("wait-signal \(host.ear.device) \(host.ear.channel) -40 5")
    let sound = start.secondsSince
    times.append(Times(reset: reset, sound: sound, soundOfDevices: sound - furnished))
    try expectSound()
    let now = Set(try stage.names("ports").filter { $0.hasPrefix("multiroute:") })
    #expect(now == ports, "ports that came or went: \(now.symmetricDifference(ports).sorted())")
    #expect(try surface.text("/session/show/stream/band/route") == routes)
    let events = try surface.takeAll().filter { $0.address == "/event/media" }
    #expect(events.isEmpty, "media services were lost or reset twice: \(events)")
    vitals.append(try Vitals(of: router.child.identifier))
  }

  private func expectSound() throws {
    guard let stage else { return }
    try surface.sync()
    try stage.do("frames 9600")
    let level = try stage.value(
      "tone", of: "level \(host.ear.device) \(host.ear.channel) 997 0.2")
    #expect(abs(level - Double(gain)) < 0.02, "dB of the band")
  }

  /// Expects that nothing grew after the first restarts, and that sound was back in time; says what was measured.
  func expectSound(within seconds: Double, restarts: Int) {
    #expect(times.count == restarts)
    for time in times { #expect(time.reset < seconds && time.soundOfDevices < seconds, "\(time)") }
    guard let first = vitals.dropFirst().first, let last = vitals.last else { return }
    #expect(last.descriptors == first.descriptors, "\(first), then \(last)")
    #expect(last.threads == first.threads, "\(first), then \(last)")
    let growth = last.memory - first.memory - (vitals.count - 2) * host.lostByLibrary
    #expect(growth < 4 << 20, "\(first), then \(last)")
    let sounds = times.map(\.sound).sorted()
    print(
      "\(restarts) restarts: reset after at most \(times.map(\.reset).max() ?? 0) s, sound after \(sounds[0]) to "
        + "\(sounds[sounds.count - 1]) s, median \(sounds[sounds.count / 2]) s; \(first), then \(last)")
  }
}

extension ContinuousClock.Instant {
  /// Seconds from then to now.
  var secondsSince: Double { (ContinuousClock.now - self) / .seconds(1) }
}

extension RestartRun.Host {
  /// jackd with simulated devices, which come back with their programs.
  static func jackd(_ server: PrivateServer) -> Self {
    Self(
      name: server.name, start: { try server.server.start() },
      end: { isKilled in if isKilled { server.server.kill() } else { server.server.stop() } },
      stage: { try server.stage() },
      furnish: { stage in
        for command in House.devices + ["source Band 2 sine 997 0", "source Metronome 1 silence"] {
          try stage.do(command)
        }
      }, ear: ("\"USB Interface\"", 1))
  }

  /// PipeWire with a card that an ear listens to.
  static func pipeWire(_ server: PrivatePipeWire) -> Self {
    Self(
      name: server.name, environment: server.environment, start: { try server.start() },
      end: { isKilled in if isKilled { server.kill() } else { server.stop() } },
      stage: { try server.stage() },
      furnish: { stage in
        for command in ["listener Ear 4", "source Band 2 sine 997 0"] { try stage.do(command) }
        try server.plug("alsa_output.usb-Acme_USB_Box-00", "Acme Box", "device.bus=usb")
        for (index, monitor) in try stage.monitors(of: "Acme Box").enumerated() {
          try stage.do("connect \"\(monitor)\" Ear:in_\(index + 1)")
        }
      },
      // A bare client in C loses this much with every open and close, measured with PipeWire 0.3.65.
      ear: ("Ear", 1), lostByLibrary: 264 << 10)
  }
}
