import Foundation
import JackServer
import OSC
import PacketFuzz
import TestKit
import Testing

/// A server with devices and programs, a router that plays, and another client that measures how long it waits, all on this machine.
final class AttackArena {
  /// Bytes that the router may keep of an attack, and seconds that it has to give back the others.
  private static let (memoryLimit, memoryPatience) = (5 << 20, 60.0)
  /// Sessions beside the show's, at which attacks aim.
  static let targets = (0..<20).map { "s\($0)" }

  let server: PrivateServer
  let folder: TemporaryFolder
  private(set) var stage: StageProcess
  private(set) var router: RouterProcess
  /// A client that is well-behaved.
  private(set) var surface: ControlSurface
  private let pinger: Pinger
  private(set) var table = AttackTable()
  /// The source of all choices of the attacks.
  var mutator: PacketMutator

  /// - Parameter seed: of the source of all choices.
  init(seed: UInt64) async throws {
    server = try await PrivateServer()
    (stage, folder) = (try server.stage(), try TemporaryFolder())
    try Self.furnish(stage)
    let sessions = Self.targets.map {
      "\"\($0)\": { \"category\": \"multiRoute\", \"streams\": { \"main\": { \"channels\": 1 } } }"
    }.joined(separator: ", ")
    try folder.write(
      House.show.replacing("\"sessions\": {", with: "\"sessions\": { \(sessions),"), to: "show.json")
    router = try Self.start(server, folder)
    surface = try Self.surface(router)
    pinger = try Pinger(port: router.port)
    mutator = PacketMutator(seed: seed, seeds: Self.packets)
    try #require(isWell(within: 5))
  }

  private static func furnish(_ stage: StageProcess) throws {
    for command in House.devices + ["source Band 2 sine 997 0", "source Metronome 1 silence"] {
      try stage.do(command)
    }
  }

  private static func start(_ server: PrivateServer, _ folder: TemporaryFolder) throws -> RouterProcess {
    try RouterProcess(
      preset: folder.file("show.json"), server: server.name, in: folder, flags: ["--presets", folder.path],
      owners: [server])
  }

  /// A client with a subscription, which is no stranger even if it says nothing for long.
  private static func surface(_ router: RouterProcess) throws -> ControlSurface {
    let surface = try ControlSurface(port: router.port)
    try surface.subscribe("/media")
    return surface
  }

  // MARK: Running attacks

  /// Runs an attack, and adds its row to the table. Records what is not as promised.
  ///
  /// - Parameter limit: seconds that another client may wait at most.
  func suffer(_ attack: any Attack, seconds: Double, limit: Double) throws {
    let before = try Vitals(of: router.child.identifier).memory
    _ = pinger.take()
    let count = try attack.strike(self, until: .now + .seconds(seconds))
    let waits = pinger.take()
    try tidyUp()
    #expect(isWell(within: 10), "\(attack.name): \(router.diagnosis)")
    let row = AttackTable.Row(
      attack: attack.name, count: count, memory: (before, try memoryAtRest(before)),
      longestWait: waits.longest)
    table.add(row)
    print("\(row.attack): \(row.count), longest wait \(row.longestWait) s, grown by \(row.growth >> 10) KiB")
    #expect(count.survived == count.tried, "\(attack.name)")
    #expect(count.tried > 0, "\(attack.name) tried nothing")
    #expect(row.growth < Self.memoryLimit, "\(attack.name): bytes kept a minute later")
    #expect(waits.longest < limit, "\(attack.name): seconds that another client waited")
  }

  /// Removes the sessions and streams that an attack has made.
  func tidyUp() throws {
    try surface.tell("/session/list")
    let sessions = try surface.takeAll().filter { $0.address == "/session/list" }
      .compactMap { $0.arguments.dropFirst(2).first?.text }
    for id in sessions where id != "show" && !Self.targets.contains(id) {
      try surface.send("/session/remove", .string(id))
    }
    for id in Self.targets where sessions.contains(id) {
      try surface.send("/session/\(id)/active", 0)
      try surface.tell("/session/\(id)/stream/list")
      let streams = try surface.takeAll().filter { $0.address == "/session/\(id)/stream/list" }
        .compactMap { $0.arguments.dropFirst(2).first?.text }
      for stream in streams where stream != "main" {
        try surface.send("/session/\(id)/stream/remove", .string(stream))
      }
    }
  }

  /// The memory of the router when it has given back what an attack took, or after a minute.
  private func memoryAtRest(_ before: Int) throws -> Int {
    let end = ContinuousClock.now + .seconds(Self.memoryPatience)
    var memory = try Vitals(of: router.child.identifier).memory
    while memory - before >= Self.memoryLimit, .now < end {
      try stage.do("frames 24000")
      memory = try min(memory, Vitals(of: router.child.identifier).memory)
    }
    return memory
  }

  /// Whether the router answers, obeys and plays: the band is heard at the level that is set.
  func isWell(within seconds: Double) -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    var complaint = ""
    repeat {
      do {
        // An attack may have moved anything.
        for (address, value) in Self.calm { try surface.send(address, value) }
        for gain: Float in [-12, -6] { try surface.send("/session/show/stream/band/gain", .float(gain)) }
        try stage.do("wait-tone \"USB Interface\" 1 997 -6 2")
        return true
      } catch {
        complaint = "\(error)"
        // An attack may have changed the category of a session, which the operator takes back with the scene.
        _ = try? surface.send("/preset/recall", "show", 0.0)
      }
    } while .now < end
    Issue.record("the router is not well: \(complaint)")
    return false
  }

  /// The settings with which the band is heard.
  private static let calm: [(String, OSCArgument)] = [
    ("/system/panic", 0), ("/system/lock", 0), ("/interruption/clear", 1), ("/session/show/active", 1),
    ("/session/show/gain", 0), ("/session/show/mute", 0), ("/session/show/stream/band/mute", 0),
    ("/session/show/stream/band/route", "usb:1-2"), ("/output/usb/gain", 0), ("/output/usb/mute", 0),
  ]

  // MARK: What attacks do

  /// Ends the server and starts another; devices and programs return.
  func restartServer(isKilled: Bool) throws {
    if isKilled { server.server.kill() } else { server.server.stop() }
    stage.kill()
    try server.server.start()
    stage = try server.stage()
    try Self.furnish(stage)
  }

  /// Kills the router and starts it again.
  func restartRouter() throws {
    _ = router.terminate(by: SIGKILL)
    router = try Self.start(server, folder)
    surface = try Self.surface(router)
    try pinger.follow(router.port)
  }

  /// Valid packets, from which the random ones are made: those of every shape, and messages that the router knows.
  private static let packets: [[UInt8]] = {
    let messages = [
      OSCMessage("/session/s1/gain", -3.0), OSCMessage("/session/s1/gain/fade", -20.0, 0.5),
      OSCMessage("/session/s2/active", 1), OSCMessage("/session/s3/set", "playback", "default", "duckOthers"),
      OSCMessage("/session/*/gain", -10.0), OSCMessage("/session/{s1,s2,s[3-5]}/mute", 1),
      OSCMessage("/session/s4/fader", 0.5), OSCMessage("/session/s4/category", "ambient"),
      OSCMessage("/session/create", "s5", "playback"), OSCMessage("/session/s6/stream/create", "more", 2),
      OSCMessage("/session/s6/stream/more/to/headphones/on", 1),
      OSCMessage("/session/s6/stream/more/to/headphones/gain", -9.0),
      OSCMessage("/session/s6/stream/more/from", "Band:out_*"),
      OSCMessage("/session/s6/stream/remove", "more"),
      OSCMessage("/session/s7/duck/level", -12.0), OSCMessage("/session/s7/capture/channels", 2),
      OSCMessage("/output/headphones/delay", 0.1), OSCMessage("/output/speaker/gain", -6.0),
      OSCMessage("/input/mic/gain", -6.0), OSCMessage("/ramp", 0.02), OSCMessage("/meter/rate", 10),
      OSCMessage("/get", "/session/s1/gain"), OSCMessage("/get", "/session/*/route"),
      OSCMessage("/session/list"),
      OSCMessage("/request", 7, "/session/s8/gain", -3.0), OSCMessage("/snapshot", "/session/s9"),
      OSCMessage("/subscribe", "/session/s9"), OSCMessage("/unsubscribe", "/session/s9"), OSCMessage("/bye"),
      OSCMessage("/event/since", 0), OSCMessage("/sync", 1), OSCMessage("/ping", 1),
      OSCMessage("/system/stats"),
      OSCMessage("/system/info"), OSCMessage("/interruption/phone/ringing", 1),
    ]
    let bundle = OSCBundle(messages.prefix(20).map(OSCPacket.message))
    return PacketMutator.everyShape + messages.map { PacketEncoder.encode($0) } + [
      PacketEncoder.encode(bundle)
    ]
  }()
}
