import Checkout
import OSC
import TestKit
import Testing

/// The presets that a new sound engineer writes for six evenings, on the simulated stage. Each one works as it was
/// first written.
@Suite struct EveningTests {
  /// A router that runs the preset of one evening.
  private final class Evening {
    let server: PrivateServer
    let stage: StageProcess
    let router: RouterProcess
    let surface: ControlSurface
    private let folder: TemporaryFolder

    /// - Parameter equipment: the commands that make devices and programs; each program plays a tone of its own.
    init(_ name: String, _ equipment: [String]) async throws {
      server = try await PrivateServer()
      stage = try server.stage()
      folder = try TemporaryFolder()
      for command in equipment { try stage.do(command) }
      let preset = try folder.write(Checkout.text("Tests/Evenings/\(name).json"), to: "\(name).json")
      router = try RouterProcess(preset: preset, server: server.name, in: folder, owners: [stage, server])
      surface = try ControlSurface(port: router.port)
      try stage.do("freewheel on")
      try settle()
    }

    /// Waits until everything is connected, and lets all ramps, ducks and activations end.
    func settle() throws {
      // Thousands of frames pass in freewheel before the router has reacted to a device.
      try surface.sync()
      try stage.do("frames 96000")
    }

    /// Sends a command and lets its ramps end.
    func send(_ address: String, _ arguments: OSCArgument...) throws {
      try surface.client.send(OSCMessage(address, arguments))
      try settle()
    }

    /// Expects a tone at some level in dB, rounded, at each channel of a device; nil is silence.
    func expect(
      _ frequency: Int, at device: String, _ levels: [Int?], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let answer = try stage.do("tones 0.1 \(frequency) \"\(device)\"")
      let heard = answer.split(separator: " ").map { word in
        Double(word).flatMap { $0 > -80 ? Int($0.rounded()) : nil }
      }
      #expect(heard == levels, "\(frequency) Hz at \(device)", sourceLocation: sourceLocation)
    }
  }

  @Test("Theatre: cues in the house, music in the foyer, which an announcement ducks")
  func theatre() async throws {
    let evening = try await Evening(
      "theatre",
      [
        "device \"Stage Box\" 4 0", "source Cues 2 sine 500 -20", "source Bed 2 sine 700 -20",
        "source Announcer 1 sine 900 -20",
      ])
    try evening.expect(500, at: "Stage Box", [-20, -20, nil, nil])
    try evening.expect(700, at: "Stage Box", [nil, nil, -26, -26])
    try evening.expect(900, at: "Stage Box", [nil, nil, nil, nil])
    try evening.send("/session/announce/active", 1)
    try evening.expect(900, at: "Stage Box", [nil, nil, -20, -20])
    try evening.expect(700, at: "Stage Box", [nil, nil, -46, -46])
    try evening.send("/session/announce/active", 0)
    try evening.expect(700, at: "Stage Box", [nil, nil, -26, -26])
  }

  @Test("Podcast: the guest hears the host and not himself, and nothing of a muted host")
  func podcast() async throws {
    let evening = try await Evening(
      "podcast",
      [
        "device Desk 2 2", "play Desk 1 sine 500 -20", "play Desk 2 silence", "source Phone 2 sine 700 -20",
        "listener \"Phone In\" 1",
      ])
    try evening.expect(500, at: "Phone In", [-20])
    try evening.expect(700, at: "Phone In", [nil])
    try evening.expect(500, at: "Desk", [-26, -26])
    try evening.expect(700, at: "Desk", [-20, -20])
    try evening.send("/session/host/mute", 1)
    try evening.expect(500, at: "Phone In", [nil])
  }

  @Test("Church: the house and the stream have mixes of their own")
  func church() async throws {
    let evening = try await Evening(
      "church",
      ["device Mixer 2 1", "play Mixer 1 sine 500 -20", "source Band 2 sine 700 -10", "listener OBS 2"])
    try evening.expect(500, at: "Mixer", [-23, -23])
    try evening.expect(700, at: "Mixer", [-10, -10])
    try evening.expect(500, at: "OBS", [-20, -20])
    try evening.expect(700, at: "OBS", [-16, -16])
  }

  @Test("DJ: the headphones hear a deck whose fader is down")
  func dj() async throws {
    let evening = try await Evening("dj", ["device Controller 4 0", "source Mixxx 4 sine 500 -26"])
    try evening.expect(500, at: "Controller", [-20, -20, -30, -30])
    try evening.send("/session/decks/stream/a/gain", -90.0)
    try evening.send("/session/decks/stream/b/gain", -90.0)
    try evening.expect(500, at: "Controller", [nil, nil, -30, -30])
  }

  @Test("Kiosk: loop and browser play together, and a television that is switched on later is used")
  func kiosk() async throws {
    let evening = try await Evening(
      "kiosk", ["source Loop 2 sine 500 0", "source Browser 2 sine 700 -20", "device Laptop 2 0"])
    try evening.stage.do("freewheel off")
    try evening.surface.subscribe("/event/*")
    try evening.stage.do("device TV 2 0")
    try evening.surface.event("port") { $0.contains("tv") }
    try evening.stage.do("freewheel on")
    try evening.settle()
    try evening.expect(500, at: "TV", [-12, -12])
    try evening.expect(700, at: "TV", [-20, -20])
  }

  @Test("Silent disco: each transmitter has its own music, and only that")
  func silentDisco() async throws {
    let evening = try await Evening(
      "silent-disco",
      [
        "device Dock 6 0", "source Rock 2 sine 500 -6", "source Pop 2 sine 700 -6",
        "source House 2 sine 900 -6",
      ])
    try evening.expect(500, at: "Dock", [-6, -6, nil, nil, nil, nil])
    try evening.expect(700, at: "Dock", [nil, nil, -6, -6, nil, nil])
    try evening.expect(900, at: "Dock", [nil, nil, nil, nil, -6, -6])
    try evening.send("/session/disco/stream/pop/mute", 1)
    try evening.expect(700, at: "Dock", [nil, nil, nil, nil, nil, nil])
    try evening.expect(500, at: "Dock", [-6, -6, nil, nil, nil, nil])
  }

  @Test(
    "Band: each musician has a mix before the faders, groups move by a pattern, and talkback ducks the monitors"
  )
  func band() async throws {
    let evening = try await Evening(
      "band",
      [
        "device Desk 6 3", "play Desk 1 sine 500 -20", "play Desk 2 sine 700 -20", "play Desk 3 sine 900 -20",
      ])
    try evening.expect(500, at: "Desk", [-20, -20, -32, -32, -20, -20])
    try evening.expect(700, at: "Desk", [-20, -20, -23, -23, -29, -29])
    // A DCA: one button moves several faders.
    try evening.send("/session/show/stream/{vocals,guitar}/gain/inc", -6.0)
    try evening.expect(500, at: "Desk", [-26, -26, -32, -32, -20, -20])
    try evening.expect(700, at: "Desk", [-26, -26, -23, -23, -29, -29])
    try evening.send("/session/talkback/active", 1)
    try evening.expect(900, at: "Desk", [nil, nil, -20, -20, -20, -20])
    try evening.expect(700, at: "Desk", [-26, -26, -43, -43, -49, -49])
    try evening.send("/session/talkback/active", 0)
    // A mute group.
    try evening.send("/session/show/stream/{vocals,guitar}/mute", 1)
    try evening.expect(500, at: "Desk", [nil, nil, nil, nil, nil, nil])
    try evening.expect(700, at: "Desk", [nil, nil, nil, nil, nil, nil])
  }
}
