import Chance
import Foundation
import SoundFiles
import StageKit
import TestKit
import Testing

/// Large desktop programs, which take too long to install for every run of the tests; `make soak` runs them.
@Suite(.enabled(if: Soak.isRunning))
struct ProgramSoakTests {
  // MARK: Chromium

  @Test("Chromium is heard at its own output and not at PipeWire's default device")
  func chromium() async throws {
    let preset = """
      { "multiroute": 1, "ports": {
        "usb": { "type": "usbAudio", "outputs": ["Acme Box:playback_*"], "channels": 2 } },
      "sessions": { "web": { "category": "multiRoute", "activate": "start", "streams": {
        "page": { "channels": 2, "from": ["Chromium:output_*"], "to": { "usb": -6 }, "exclusive": true } } } } }
      """
    let rack = try await Rack(preset) { pipewire, stage in
      try pipewire.startPulse()
      try pipewire.plug("alsa_output.usb-1", "Acme Box", "device.bus=usb")
      try pipewire.plug("alsa_output.pci-1", "Desk")
      try pipewire.makeDefault("alsa_output.pci-1")
      try stage.do("device Ear 4 0")
    }
    let stage = rack.stage
    try rack.listen(to: stage.monitors(of: "Acme Box"))
    try rack.listen(to: stage.monitors(of: "Desk"), from: 3)
    let page = try rack.folder.write(
      """
      <!doctype html><title>A tone</title><script>
        const context = new AudioContext(), tone = context.createOscillator(), level = context.createGain();
        tone.frequency.value = 997;
        level.gain.value = 0.25;
        tone.connect(level).connect(context.destination);
        tone.start();
      </script>
      """, to: "tone.html")
    let chromium = try rack.start(
      "chromium",
      [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
        "--user-data-dir=\(rack.folder.file("chromium"))",
        "--autoplay-policy=no-user-gesture-required", "file://\(page)",
      ])
    defer { chromium.send(signal: SIGKILL) }
    try stage.do("wait-signal Ear 1 -30")
    for channel in 1...2 { try stage.awaitTone(997, -18.04, at: "Ear", channel) }
    try stage.do("frames 9600")
    for channel in ["FL", "FR"] {
      try stage.do("await-connection Chromium:output_\(channel) Desk:playback_\(channel) gone")
    }
    let desk = try stage.tones(997, at: ["Ear"])[0].suffix(2)
    #expect(desk.allSatisfy { $0 < -100 }, "\(desk)")
    #expect(rack.router.terminate().code == 0)
    try stage.do("await-connection Chromium:output_FL Desk:playback_FL")
    try stage.awaitTone(997, -12.04, at: "Ear", 3)
  }

  // MARK: Mixxx

  /// Mixxx asks for a folder of music at its first start, unless its library has one.
  private static let library =
    "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('CREATE TABLE directories (directory TEXT UNIQUE)'); "
    + "db.execute('INSERT INTO directories VALUES (?)', (sys.argv[2],)); db.commit()"

  /// Main and cue at one device of four channels, as a disc jockey sets it up.
  private static let soundHardware = """
    <!DOCTYPE SoundManagerConfig>
    <SoundManagerConfig api="JACK Audio Connection Kit" samplerate="48000" latency="5" sync_buffers="2" deck_count="2">
     <SoundDevice name="USB Interface" portAudioIndex="0">
      <output type="Master" index="0" channel="0" channel_count="2"/>
      <output type="Headphones" index="0" channel="2" channel_count="2"/>
     </SoundDevice>
    </SoundManagerConfig>
    """

  @Test("Mixxx is heard with main and cue at two devices, and not at the device that it takes itself")
  func mixxx() async throws {
    let house = try await House(
      House.preset(
        """
        "decks": { "category": "multiRoute", "activate": "start", "streams": {
          "main": { "channels": 2, "from": ["Mixxx:out_0", "Mixxx:out_1"], "to": { "usb:3-4": -6 }, "exclusive": true },
          "cue": { "channels": 2, "from": ["Mixxx:out_2", "Mixxx:out_3"], "to": { "headphones": -10 }, "exclusive": true } } }
        """), programs: [])
    let (stage, folder) = (house.stage, house.folder)
    let settings = folder.file("mixxx")
    try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
    try Self.soundHardware.write(
      toFile: settings + "/soundconfig.xml", atomically: true, encoding: .utf8)
    try "[Config]\nVersion 2.3.3\n\n[Keyboard]\nEnabled 1\n".write(
      toFile: settings + "/mixxx.cfg", atomically: true, encoding: .utf8)
    let library = try ChildProcess(
      "python3", ["-c", Self.library, settings + "/mixxxdb.sqlite", settings])
    #expect(library.wait() == 0, "\(library.errors.text)")

    let monitor = try ChildProcess("Xvfb", ["-displayfd", "1", "-nolisten", "tcp"])
    defer { monitor.send(signal: SIGKILL) }
    let display = ["DISPLAY": ":" + (try #require(monitor.output.line()))]
    let mixxx = try house.start(
      "mixxx",
      ["--settingsPath", settings, "--logLevel", "debug", try RealProgram.tone(in: folder)],
      environment: display)
    defer { mixxx.send(signal: SIGKILL) }
    // It loads the file when it shows its window, and analyses it at the end.
    for event in ["Displaying main window", "ReplayGain 2.0"] {
      #expect(mixxx.errors.line(containing: event, seconds: 30) != nil, "\(mixxx.errors.text.suffix(2_000))")
    }
    func tell(_ words: [String]) throws {
      let screen = try ChildProcess("xdotool", words, environment: display)
      #expect(screen.wait() == 0, "\(screen.errors.text)")
    }
    try tell([
      "search", "--sync", "--maxdepth", "1", "--onlyvisible", "--name", "^Mixxx$", "windowfocus", "--sync",
    ])
    // Play and headphones of both decks, one of which has the file.
    for key in ["d", "l", "t", "y"] { try tell(["key", key]) }
    try stage.do("wait-signal \"USB Interface\" 3 -40")
    try stage.do("wait-signal Headphones 1 -40")
    try stage.do("frames 24000")
    for channel in 0...3 {
      try stage.do("await-connection Mixxx:out_\(channel) \"USB Interface:playback_\(channel + 1)\" gone")
    }
    let through = try stage.tones(997, at: ["USB Interface", "Headphones"])
    #expect(through[0].prefix(2).allSatisfy { $0 < -100 }, "\(through)")
    #expect(house.router.terminate().code == 0)
    for channel in 0...3 {
      try stage.expectLeft(["USB Interface:playback_\(channel + 1)"], at: "Mixxx:out_\(channel)")
    }
    try stage.do("frames 24000")
    let direct = try stage.tones(997, at: ["USB Interface"])[0]
    let differences = zip(through[0].suffix(2) + through[1], direct).map { $0 - $1 }
    #expect(zip(differences, [-6, -6, -10, -10]).allSatisfy { abs($0 - $1) < 0.2 }, "\(differences)")
  }

  // MARK: Linux Show Player

  @Test(
    "Each GO of Linux Show Player is a new JACK client, and its cue is heard from the beginning to the end without a hole",
    arguments: ["\"from\": [\"linux-show-player-*:out_sink_*\"], ", ""])
  func linuxShowPlayer(from: String) async throws {
    let cues = 10
    // The player removes every connection that another program makes while a cue starts. Without a source in the preset the cues connect
    // themselves to the router.
    let house = try await House(
      House.preset(
        """
        "show": { "category": "multiRoute", "activate": "start", "streams": {
          "cue": { "channels": 2, \(from)"to": { "usb:1-2": 0 } } } }
        """), programs: [], systemOutputs: 2)
    let (stage, folder) = (house.stage, house.folder)
    let length = 24_000
    // Every sample says its number.
    let numbers = (1...length).map { Float($0) / 32_768 }
    let file = folder.file("cue.wav")
    try SoundFile(channels: [numbers, numbers], sampleRate: 48_000).write(path: file)
    let port = RealProgram.networkPorts(1)[0]
    let player = try startPlayer(house, cue: file, count: cues, port: port, connectsItself: from.isEmpty)
    defer { player.send(signal: SIGKILL) }
    for _ in 0..<cues {
      #expect(player.errors.line(containing: "AddItemAction", seconds: 30) != nil, "\(player.errors.text)")
    }
    let sound = try house.hear {
      for number in 0..<cues {
        let go = try ChildProcess(
          "python3",
          [
            "-c",
            "import xmlrpc.client; xmlrpc.client.ServerProxy('http://127.0.0.1:\(port)').execute(\(number))",
          ])
        #expect(go.wait() == 0, "\(go.errors.text)")
        try stage.do("wait-signal \"USB Interface\" 1 -30")
        let source = "linux-show-player-\(number):out_sink_1"
        // The sound ends before its port disappears.
        try stage.do("await-port \(source) gone")
      }
    }
    let heard = sound.channels[0].map { $0 * 32_768 }
    let ends = heard.indices.filter { heard[$0] == Float(length) }
    #expect(ends.count == cues)
    var lost: [Int] = []
    for end in ends where end >= length {
      let cue = end - length + 1...end
      // A cue tells nothing if the server itself left out frames in it.
      guard !sound.continuity.stretches.contains(where: { $0.overlaps(Range(cue)) }) else { continue }
      let hole = cue.last { heard[$0] != Float($0 - end + length) }
      lost.append(hole.map { $0 - cue.lowerBound + 1 } ?? 0)
    }
    TestNotes.remark(
      "\(from.isEmpty ? "by itself" : "by from"): frames of each cue until its sound is whole: \(lost)")
    #expect(!lost.isEmpty && lost.sorted()[lost.count / 2] <= 3 * PrivateServer.period, "\(lost)")
  }

  /// Starts Linux Show Player with cues that play a file. It listens at a network port for commands.
  private func startPlayer(
    _ house: House, cue file: String, count: Int, port: Int, connectsItself: Bool
  ) throws -> ChildProcess {
    let folder = house.folder
    try FileManager.default.createDirectory(
      atPath: folder.file(".linux_show_player"), withIntermediateDirectories: true)
    let shipped = "/usr/lib/python3/dist-packages/lisp/default.cfg"
    let configuration = try String(contentsOfFile: shipped, encoding: .utf8)
      .replacing("BindIp = 0.0.0.0", with: "BindIp = 127.0.0.1")
      .replacing("BindPort = 8070", with: "BindPort = \(port)")
    _ = try folder.write(configuration, to: ".linux_show_player/config.cfg")
    let sinks = (1...8).map { $0 <= 2 && connectsItself ? "[\"multiroute:show.cue_\($0)\"]" : "[]" }.joined(
      separator: ",")
    let cues = (0..<count).map {
      """
      { "_type_": "MediaCue", "id": "\($0)", "index": \($0), "name": "Cue \($0)", "_media_": {
        "pipe": ["UriInput", "Volume", "JackSink"],
        "elements": { "UriInput": { "uri": "file://\(file)" }, "JackSink": { "connections": [\(sinks)] } } } }
      """
    }
    let show = try folder.write(
      """
      { "cues": [\(cues.joined(separator: ","))], "plugins": {}, "application": { "layout": "List Layout" } }
      """, to: "show.lsp")
    return try house.start(
      "linux-show-player", ["-l", "info", "-f", show], environment: ["QT_QPA_PLATFORM": "offscreen"])
  }
}
