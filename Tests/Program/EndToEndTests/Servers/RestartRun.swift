import JackServer
import OSC
import TestKit
import Testing

/// Ends the server of a router several times. The router must have the same state afterwards, and must leak nothing.
final class RestartRun {
  /// A server that can be ended and started again, with the devices and programs of a show.
  struct Host {
    var name: String
    var environment: [String: String] = [:]
    var start: () throws -> Void
    var end: (_ isKilled: Bool) -> Void
    var stage: () throws -> StageProcess
    /// Plugs in the devices, starts the programs, and connects the ear to the band's device.
    var furnish: (StageProcess) throws -> Void
    /// The stage's device, and its channel, at which the band is heard.
    var ear: (device: String, channel: Int)
    /// Bytes that the server's own library leaks with each client that it closes.
    var lostByLibrary = 0
  }

  /// Seconds from the server's return.
  struct Times {
    /// Until media services were reset.
    var reset: Double
    /// Until the band was heard at the ear.
    var sound: Double
    /// Seconds of the latter during which the devices and programs were present.
    var soundOfDevices: Double
  }

  private let host: Host
  private let folder: TemporaryFolder
  let router: RouterProcess
  let surface: ControlSurface
  private var stage: StageProcess?
  private let ports: Set<String>
  private let routes: String
  /// The band's gain that was set last, in dB.
  private var gain: Float = -6
  private(set) var times: [Times] = []
  /// The resources of the router after each restart.
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
    try stage.do("wait-signal \(host.ear.device) \(host.ear.channel) -40")
    ports = Set(try stage.names("ports").filter { $0.hasPrefix("multiroute:") })
    routes = try surface.text("/session/show/stream/band/route")
    self.stage = stage
    try expectSound()
  }

  /// Ends the server while sound plays and commands arrive, starts it again, and checks state, sound and resources.
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
    try stage.do("wait-signal \(host.ear.device) \(host.ear.channel) -40")
    let sound = start.secondsSince
    times.append(Times(reset: reset, sound: sound, soundOfDevices: sound - furnished))
    try expectSound()
    let now = Set(try stage.names("ports").filter { $0.hasPrefix("multiroute:") })
    #expect(now == ports, "ports that came or went: \(now.symmetricDifference(ports).sorted())")
    #expect(try surface.text("/session/show/stream/band/route") == routes)
    let events = try surface.takeAll().filter { $0.address == "/event/media" }
    #expect(events.isEmpty, "media services were lost or reset twice: \(events)")
    vitals.append(try vitalsAtRest())
  }

  /// The resources of the router when it is at rest: under PipeWire it starts `pw-dump` anew at each server.
  private func vitalsAtRest() throws -> Vitals {
    let router = router.child.identifier
    guard let least = vitals.min(by: { $0.descriptors < $1.descriptors }) else {
      return try Vitals(of: router)
    }
    return try Vitals.atRest(of: router, since: least) { try stage?.do("frames 1024") }
  }

  private func expectSound() throws {
    guard let stage else { return }
    try surface.sync()
    try stage.do("frames 9600")
    let level = try stage.value(
      "tone", of: "level \(host.ear.device) \(host.ear.channel) 997 0.2")
    #expect(abs(level - Double(gain)) < 0.02, "dB of the band")
  }

  /// Expects that no resource grew after the first restarts, and that sound returned in time. Prints the measurements.
  func expectSound(within seconds: Double, restarts: Int) {
    #expect(times.count == restarts)
    for time in times { #expect(time.reset < seconds && time.soundOfDevices < seconds, "\(time)") }
    guard let first = vitals.dropFirst().first, let last = vitals.last else { return }
    for earlier in vitals.dropFirst() {
      #expect(last.descriptors <= earlier.descriptors, "\(earlier), then \(last)")
      #expect(last.threads <= earlier.threads, "\(earlier), then \(last)")
    }
    let growth = last.memory - first.memory - (vitals.count - 2) * host.lostByLibrary
    #expect(growth < 4 << 20, "\(first), then \(last)")
    let sounds = times.map(\.sound).sorted()
    print(
      "\(restarts) restarts: reset after at most \(times.map(\.reset).max() ?? 0) s, sound after \(sounds[0]) to "
        + "\(sounds[sounds.count - 1]) s, median \(sounds[sounds.count / 2]) s; \(first), then \(last)")
  }
}

extension ContinuousClock.Instant {
  /// Seconds from a moment until now.
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
