import Foundation
import TestKit
import Testing

/// mpv, a player that connects itself to a device.
@Suite struct MpvTests {
  private static let film = """
    "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "film": { "channels": 2, "from": ["mpv:out*"], "to": { "headphones": -6 }, "exclusive": true } } }
    """
  /// The level of the film at the headphones.
  private static let level = -18.04

  @Test("mpv is heard at its output alone, though it connects itself; paused, killed and started again")
  func jack() async throws {
    let house = try await House(House.preset(Self.film), programs: [])
    let (stage, surface) = (house.stage, house.surface)
    func why(_ beginning: String) throws {
      let why = try stage.ask({ try surface.text("/session/show/why") }, until: { $0.hasPrefix(beginning) })
      #expect(why.hasPrefix(beginning))
    }
    let file = try RealProgram.tone(in: house.folder)
    func play() throws -> ChildProcess {
      try house.start("mpv", RealProgram.quietPlayer + ["--ao=jack", file])
    }
    func expectFilm() throws {
      for channel in 1...2 { try stage.awaitTone(997, Self.level, at: "Headphones", channel) }
      // mpv connects itself a moment after the router has connected it.
      try stage.do("frames 9600")
      for channel in 0...1 {
        try stage.do(
          "await-connection mpv:out_\(channel) \"USB Interface:playback_\(channel + 1)\" gone")
        #expect(
          try stage.names("connections mpv:out_\(channel)") == ["multiroute:show.film_\(channel + 1)"])
      }
      let others = try stage.tones(997, at: ["USB Interface", "Speaker"]).joined()
      #expect(others.allSatisfy { $0 < -100 }, "\(others)")
    }

    var mpv = try play()
    defer { mpv.send(signal: SIGKILL) }
    try expectFilm()
    try why("heard at headphones")
    mpv.send("set pause yes")
    try why("connected, silent; goes to headphones")
    mpv.send("set pause no")
    try why("heard at headphones")

    mpv.send(signal: SIGKILL)
    try why("silent: no program is connected to show")
    mpv = try play()
    try expectFilm()
    #expect(house.router.terminate().code == 0)
    try stage.expectLeft(["USB Interface:playback_1"], at: "mpv:out_0")
    try stage.awaitTone(997, -12.04, at: "USB Interface", 1)
  }

  @Test(
    "Under PipeWire mpv is heard at its output and not at the default device",
    arguments: ["jack", "pipewire"])
  func pipeWire(output: String) async throws {
    let ports = """
      "headphones": { "type": "headphones", "outputs": ["Acme Box:playback_*"], "channels": 2 }
      """
    let rack = try await Rack(
      "{ \"multiroute\": 1, \"ports\": { \(ports) }, \"sessions\": { \(Self.film) } }"
    ) {
      pipewire, stage in
      try pipewire.plug("alsa_output.usb-1", "Acme Box", "device.bus=usb")
      try pipewire.plug("alsa_output.pci-1", "Desk")
      try pipewire.makeDefault("alsa_output.pci-1")
      try stage.do("device Ear 4 0")
    }
    let stage = rack.stage
    try rack.listen(to: stage.monitors(of: "Acme Box"))
    try rack.listen(to: stage.monitors(of: "Desk"), from: 3)
    let mpv = try rack.start(
      "mpv", RealProgram.quietPlayer + ["--ao=\(output)", RealProgram.tone(in: rack.folder)])
    defer { mpv.send(signal: SIGKILL) }
    for channel in 1...2 { try stage.awaitTone(997, Self.level, at: "Ear", channel) }
    try stage.do("frames 9600")
    let sources = try stage.names("ports").filter { $0.hasPrefix("mpv:") }.sorted()
    #expect(sources.count == 2)
    for (channel, source) in zip(["FL", "FR"], sources) {
      try stage.do("await-connection \(source) Desk:playback_\(channel) gone")
    }
    let desk = try stage.tones(997, at: ["Ear"])[0].suffix(2)
    #expect(desk.allSatisfy { $0 < -100 }, "\(desk)")
    #expect(rack.router.terminate().code == 0)
    for (channel, source) in zip(["FL", "FR"], sources) {
      try stage.do("await-connection \(source) Desk:playback_\(channel)")
    }
    try stage.awaitTone(997, -12.04, at: "Ear", 3)
  }

  @Test(
    "Under PipeWire a player hangs: all else sounds on without it, and it is heard again when it goes on",
    arguments: ["jack", "pipewire"])
  func hang(output: String) async throws {
    let ports = """
      "headphones": { "type": "headphones", "outputs": ["Acme Box:playback_*"], "channels": 2 }
      """
    let band = """
      "band": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
        "main": { "channels": 2, "from": ["Band:out_*"], "to": { "headphones": -6 } } } }
      """
    let rack = try await Rack(
      "{ \"multiroute\": 1, \"ports\": { \(ports) }, \"sessions\": { \(Self.film), \(band) } }"
    ) { pipewire, stage in
      try pipewire.plug("alsa_output.usb-1", "Acme Box", "device.bus=usb")
      try stage.do("device Ear 2 0")
      try stage.do("source Band 2 sine 440 0")
    }
    let (stage, surface) = (rack.stage, rack.surface)
    try rack.listen(to: stage.monitors(of: "Acme Box"))
    let mpv = try rack.start(
      "mpv", RealProgram.quietPlayer + ["--ao=\(output)", RealProgram.tone(in: rack.folder)])
    defer { mpv.send(signal: SIGKILL) }
    try stage.awaitTone(997, Self.level, at: "Ear", 1)
    try stage.awaitTone(440, -6, at: "Ear", 1)
    try surface.subscribe("/event/*")
    let stop = ContinuousClock.now
    mpv.send(signal: SIGSTOP)
    try surface.event("error", seconds: 10) { words in
      words.contains { $0.text?.contains("the program mpv hangs") == true }
    }
    try stage.awaitTone(440, -6, at: "Ear", 1)
    #expect(stop.secondsSince < 10)
    for session in ["show", "band"] { #expect(try surface.number("/session/\(session)/active") == 1) }
    let begin = ContinuousClock.now
    mpv.send(signal: SIGCONT)
    try stage.awaitTone(997, Self.level, at: "Ear", 1)
    #expect(begin.secondsSince < 1)
    #expect(rack.router.terminate().code == 0)
  }
}
