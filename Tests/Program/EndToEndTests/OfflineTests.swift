import Foundation
import JackServer
import OSC
import SoundFiles
import TestKit
import Testing

/// Rendering without a server, and the demonstration.
@Suite struct OfflineTests {
  private let band = "/session/show/stream/band"

  @Test("Rendered files equal the sound of the live router, sample for sample")
  func rendersAsLive() async throws {
    let folder = try TemporaryFolder()
    // The noise repeats with the period, so that all periods are equal.
    var generator = SystemRandomNumberGenerator()
    let noise = (0..<2).map { _ in (0..<256).map { _ in Float.random(in: -0.5...0.5, using: &generator) } }
    try SoundFile(channels: noise, sampleRate: 48_000).write(path: folder.file("noise.wav"))
    let long = noise.map { channel in Array(repeatElement(channel, count: 5 * 48_000 / 256).joined()) }
    try SoundFile(channels: long, sampleRate: 48_000).write(path: folder.file("long.wav"))
    let cues: [(time: Double, address: String, argument: [OSCArgument], text: String)] = [
      (1, "\(band)/gain", [-6.0], "-6.0"), (2, "\(band)/gain/fade", [0.0, 0.5], "0.0 0.5"),
      (3, "\(band)/route", ["usb:2-3=-3"], "usb:2-3=-3"), (4, "\(band)/pan", [0.25], "0.25"),
    ]
    let script = cues.map { "\($0.time) \($0.address) \($0.text)" }.joined(separator: "\n")
    let result = try Program.run(
      [
        "render", folder.write(House.show, to: "show.json"), "--in", "show.band=\(folder.file("long.wav"))",
        "--out",
        "usb=\(folder.file("usb.wav"))", "--script", folder.write(script, to: "script.txt"), "--period",
        "256",
      ], in: folder)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.isEmpty)
    let rendered = try SoundFile(path: folder.file("usb.wav")).channels
    #expect(rendered.count == 4 && rendered[0].count == long[0].count)

    let house = try await House(programs: [
      "source Band file \(folder.file("noise.wav"))", "source Metronome 1 silence",
    ])
    try house.freewheel()
    for cue in cues {
      let live = try house.hear {
        // The recording has the sound before the change, however soon the router takes the message.
        try house.stage.do("frames 512")
        try house.surface.client.send(OSCMessage(cue.address, cue.argument))
        try house.surface.sync()
        try house.stage.do("frames 48000")
      }
      let start = try #require(firstChange(live))
      let cueFrame = Int(cue.time * 48_000) / 256 * 256
      for channel in 0..<4 {
        let heard = live[channel][start..<start + 30_000]
        let expected = rendered[channel][cueFrame..<cueFrame + 30_000]
        #expect(SignalCheck.firstDifference(heard, expected) == nil, "\(cue.address) channel \(channel + 1)")
      }
    }
  }

  @Test("render names the line of an output whose number of channels is unknown")
  func unknownWidth() throws {
    let folder = try TemporaryFolder()
    let preset = try folder.write(
      """
      { "multiroute": 1,
        "ports": { "usb": { "type": "usbAudio", "outputs": ["USB:*"] } },
        "sessions": { "show": { "category": "playback", "streams": { "band": {} } } } }
      """, to: "show.json")
    try SoundFile(channels: [[0, 0]], sampleRate: 48_000).write(path: folder.file("in.wav"))
    let result = try Program.run(
      [
        "render", preset, "--in", "show.band=\(folder.file("in.wav"))", "--out",
        "usb=\(folder.file("out.wav"))",
      ],
      in: folder)
    #expect(result.code == 65)
    #expect(result.errors.contains("\(preset):2:") && result.errors.contains("add \"channels\""))
  }

  @Test(
    "render says what makes the channels of an input known: exact names beside outputs, to which the key belongs, else the key",
    arguments: [(id: "usb", advice: "by its full name"), (id: "mic", advice: "add \"channels\"")])
  func unknownInput(id: String, advice: String) throws {
    let folder = try TemporaryFolder()
    let preset = try folder.write(
      """
      { "multiroute": 1, "ports": {
          "usb": { "type": "usbAudio", "outputs": ["USB:out_*"], "inputs": ["USB:in_*"], "channels": 4 },
          "mic": { "type": "builtInMic", "inputs": ["Mic:*"] } },
        "sessions": { "show": { "category": "multiRoute", "streams": {
          "band": { "from": ["input:\(id)"], "to": { "usb": 0 } } } } } }
      """, to: "show.json")
    try SoundFile(channels: [[0, 0]], sampleRate: 48_000).write(path: folder.file("in.wav"))
    let result = try Program.run(
      [
        "render", preset, "--in", "\(id)=\(folder.file("in.wav"))", "--out", "usb=\(folder.file("out.wav"))",
      ], in: folder)
    #expect(result.code == 65 && result.errors.contains(advice), "\(result.errors)")
    #expect(result.errors.contains("add \"channels\"") == (id == "mic"))
  }

  /// The first period that differs from the one before.
  private func firstChange(_ channels: DeviceSound) -> Int? {
    (256..<channels[0].count).first { frame in channels.contains { $0[frame] != $0[frame - 256] } }.map {
      frame in
      // Recordings begin at a period's first frame.
      frame / 256 * 256
    }
  }

  @Test("A refused message of a script ends with 1, and the message about a malformed script names its lines")
  func badScripts() throws {
    let folder = try TemporaryFolder()
    try SoundFile(channels: [[Float](repeating: 0, count: 4_800)], sampleRate: 48_000).write(
      path: folder.file("a.wav"))
    func render(_ script: String) throws -> Program.Result {
      try Program.run(
        [
          "render", "usb-and-headphones", "--in", "show.band=\(folder.file("a.wav"))", "--out",
          "usb=\(folder.file("b.wav"))", "--script", folder.write(script, to: "script.txt"),
        ], in: folder)
    }
    #expect(try render("0.05 \(band)/gain -6\n# all well\n").code == 0)
    let refused = try render("0.05 \(band)/gain -6\n\n0.05 \(band)/gain 99\n")
    #expect(refused.code == 1)
    #expect(refused.errors.contains("script.txt:3: \(band)/gain: "), "\(refused.errors)")
    let unreadable = try render("soon \(band)/gain 0\n0.1 gain 0\n")
    #expect(unreadable.code == 65)
    #expect(unreadable.errors.contains("script.txt:1:") && unreadable.errors.contains("script.txt:2:"))
  }

  @Test("render warns of each line of a script whose time comes when the show has ended")
  func lateLines() throws {
    let folder = try TemporaryFolder()
    try SoundFile(channels: [[Float](repeating: 0, count: 4_800)], sampleRate: 48_000).write(
      path: folder.file("a.wav"))
    let script = try folder.write(
      "0.05 \(band)/gain -6\n0.1 \(band)/gain -7\n2.5 /nowhere 1\n", to: "script.txt")
    let result = try Program.run(
      [
        "render", "usb-and-headphones", "--in", "show.band=\(folder.file("a.wav"))", "--out",
        "usb=\(folder.file("b.wav"))", "--script", script,
      ], in: folder)
    #expect(result.code == 0)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 2, "\(result.errors)")
    #expect(
      lines.first
        == "\(script):2: \(band)/gain: the show has ended by 0.1 s: it is 0.1 s long, so the line does nothing"
    )
    #expect(lines.last?.hasPrefix("\(script):3: /nowhere: the show has ended by 2.5 s") == true)
  }

  @Test("An output file whose ending names no format is refused, and no file is made")
  func unknownFormat() throws {
    let folder = try TemporaryFolder()
    try SoundFile(channels: [[Float](repeating: 0, count: 4_800)], sampleRate: 48_000).write(
      path: folder.file("a.wav"))
    let result = try Program.run(
      [
        "render", "usb-and-headphones", "--in", "show.band=\(folder.file("a.wav"))", "--out",
        "usb=\(folder.file("b.mp3"))",
      ], in: folder)
    #expect(result.code == 64)
    #expect(result.errors.contains("b.mp3 has no ending that says a format; end the name with .wav"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("b.mp3")))
  }

  @Test("render tells its progress, ends on Ctrl-C, and leaves no file; the file that was there stays")
  func interrupted() throws {
    let folder = try TemporaryFolder()
    try SoundFile(channels: [[Float](repeating: 0.5, count: 48_000)], sampleRate: 48_000).write(
      path: folder.file("a.wav"))
    try folder.write("before", to: "b.wav")
    func start(_ seconds: Int) throws -> ChildProcess {
      try Program.start(
        [
          "render", "usb-and-headphones", "--in", "show.band=\(folder.file("a.wav"))", "--out",
          "usb=\(folder.file("b.wav"))", "--seconds", "\(seconds)", "--progress",
        ], in: folder)
    }
    let stopped = try start(7_200)
    #expect(stopped.errors.line(containing: "1 %", seconds: 60) != nil)
    stopped.send(signal: SIGINT)
    #expect(stopped.wait(seconds: 10) == 1)
    #expect(stopped.errors.text.contains("multiroute: stopped; nothing was written"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasSuffix(".part") })
    #expect(try String(contentsOfFile: folder.file("b.wav"), encoding: .utf8) == "before")
    let whole = try start(2)
    #expect(whole.wait(seconds: 60) == 0 && whole.errors.text.hasSuffix("100 %"))
    #expect(try SoundFile(path: folder.file("b.wav")).frames == 96_000)
  }

  @Test("A capture that a script widens, narrows or removes keeps the channels and the length of its file")
  func changedCapture() throws {
    let folder = try TemporaryFolder()
    let preset = try folder.write(
      House.preset(
        """
        "call": { "category": "playAndRecord", "activate": "start", "streams": { "main": { "channels": 2 } },
          "capture": { "channels": 2, "to": ["Recorder:in_*"] } }
        """), to: "call.json")
    try SoundFile(channels: [[Float](repeating: 0.25, count: 48_000)], sampleRate: 48_000).write(
      path: folder.file("in.wav"))
    for order in [
      "/session/call/capture/channels 4", "/session/call/capture/channels 1", "/session/remove call",
    ] {
      let result = try Program.run(
        [
          "render", preset, "--in", "call.main=\(folder.file("in.wav"))", "--out",
          "call.capture=\(folder.file("out.wav"))", "--script",
          folder.write("0.5 \(order)", to: "script.txt"),
        ], in: folder)
      #expect(result.code == 0, "\(order): \(result.errors)")
      let heard = try SoundFile(path: folder.file("out.wav"))
      #expect(heard.channels.count == 2 && heard.frames == 48_000, "\(order): \(heard.frames)")
    }
  }

  @Test("render refuses a file with more channels than its stream, and one that is damaged")
  func misfits() throws {
    let folder = try TemporaryFolder()
    let noise = (0..<48_000).map { Float($0 % 977) / 977 }
    try SoundFile(channels: [noise, noise, noise], sampleRate: 48_000).write(path: folder.file("three.wav"))
    try SoundFile(channels: [noise], sampleRate: 48_000).write(path: folder.file("a.flac"))
    let bytes = try Data(contentsOf: URL(filePath: folder.file("a.flac")))
    try bytes.prefix(bytes.count / 2).write(to: URL(filePath: folder.file("cut.flac")))
    for (name, words) in [
      ("three.wav", "has 3 channels, and the stream show.band has 2"), ("cut.flac", "damaged"),
    ] {
      let result = try Program.run(
        [
          "render", "usb-and-headphones", "--in", "show.band=\(folder.file(name))", "--out",
          "usb=\(folder.file("out.wav"))",
        ], in: folder)
      #expect(result.code == 66 && result.errors.contains(words), "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder.file("out.wav")))
    }
  }

  @Test("The demonstration ends with 0 and records what each output received")
  func demonstration() async throws {
    // The demonstration starts its own server, so the test ends its server first.
    let place = try await PrivateServer()
    place.server.stop()
    let folder = try TemporaryFolder()
    let result = try Program.run(
      ["demo", "--seconds", "1", "--record", folder.file("heard")], in: folder, seconds: 120)
    #expect(result.code == 0, "\(result.output)\n\(result.errors)")
    for command in [
      "/player/*/schedule f 1.0", "/player/foyer/queue/next", "/session/show/stream/band/gain f -12.0",
      "/preset/recall s \"interval\"", "/preset/undo",
    ] {
      #expect(result.output.contains(command), "\(command)")
    }
    #expect(result.output.contains("foyer's second piece -14.0 dB on 1+2, announcement 0.0 dB on 1+2"))
    #expect(result.errors.contains("Every recording is what its device received, bit for bit."))
    for (name, channels) in [("usb", 4), ("headphones", 2), ("speaker", 2)] {
      let sound = try SoundFile(path: folder.file("heard/\(name).wav"))
      #expect(sound.channels.count == channels)
      #expect(sound.channels[0].contains { abs($0) > 0.1 }, "\(name)")
    }
  }
}
