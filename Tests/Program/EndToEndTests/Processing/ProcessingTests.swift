import Encoders
import Foundation
import OSC
import SoundFiles
import TestKit
import Testing
import WildPlugins

/// Files that run through sessions beside a live show (docs/guide/media.md).
@Suite struct ProcessingTests {
  @Test(
    "A processed file equals the one that render makes, bit for bit, sooner than it would play, with progress up to 1"
  )
  func equalsRender() async throws {
    let rig = try await ProcessingHouse()
    let (surface, folder) = (rig.surface, rig.house.folder)
    try rig.writeNoise(seconds: 60)
    try surface.subscribe("/session/edit/processing")
    #expect(try surface.number("/session/edit/processing") == 0)
    let start = ContinuousClock.now
    try rig.process("in.wav", "out.wav")
    #expect(try surface.text("/session/edit/why").hasSuffix("in.wav into out.wav"))
    try rig.awaitStep("started")
    try rig.awaitStep("done")
    #expect(ContinuousClock.now - start < .seconds(60))
    #expect(try surface.number("/session/edit/processing") == 1)
    // Feedback comes a little later than the answer to a question.
    try surface.wait(for: "/session/edit/processing") { $0.arguments == [.float(1)] }
    let steps = try surface.takeAll().filter { $0.address == "/session/edit/processing" }.compactMap {
      if case .float(let value) = $0.arguments[0] { value } else { nil }
    }
    #expect(steps == steps.sorted() && steps.allSatisfy { (0..<1).contains($0) })
    #expect(rig.names == ["in.wav", "out.wav"])

    let result = try Program.run(
      [
        "render", folder.file("show.json"), "--in", "edit.main=\(rig.media.file("in.wav"))", "--in",
        "edit.more=\(rig.media.file("in.wav"))", "--out", "usb=\(folder.file("rendered.wav"))",
      ], in: folder, seconds: 120)
    #expect(result.code == 0, "\(result.errors)")
    let (processed, rendered) = (
      try SoundFile(path: rig.media.file("out.wav")), try SoundFile(path: folder.file("rendered.wav"))
    )
    #expect(processed.sampleRate == 44_100 && processed.frames == 60 * 44_100)
    #expect(processed.channels.count == 2 && rendered.channels.count == 4)
    for channel in 0..<2 {
      #expect(processed.channels[channel] == rendered.channels[channel])
      #expect(processed.channels[channel].contains { abs($0) > 0.01 })
    }
  }

  @Test("Effects that delay the sound leave a processed file its first frame and its end")
  func alignedEffects() async throws {
    let plugins = try WildPlugins()
    let rig = try await ProcessingHouse(environment: ["LV2_PATH": plugins.path])
    try rig.surface.send("/session/edit1/stream/main/effects", "urn:multiroute:wild delay=100 gain=0.5")
    let sound = CountedSound.sound(1..<10_000)
    try sound.write(path: rig.media.file("in.wav"))
    try rig.process("in.wav", "out.wav", in: "edit1")
    try rig.awaitStep("done", of: "edit1")
    let made = try SoundFile(path: rig.media.file("out.wav"))
    #expect(made.frames == sound.frames)
    // The gates of the session open with a ramp.
    let pairs = zip(made.channels[0][2_000...], sound.channels[0][2_000...])
    #expect(pairs.allSatisfy { abs($0 - $1 * 0.5) < 1e-6 })
  }

  @Test("A job whose effects do not work fails with the reason, and makes no file")
  func faultyEffects() async throws {
    let plugins = try WildPlugins()
    let rig = try await ProcessingHouse(environment: ["LV2_PATH": plugins.path])
    try rig.writeNoise(seconds: 1)
    for name in ["nowhere", "crashes"] {
      try rig.surface.send("/session/edit1/stream/main/effects", .string("urn:multiroute:\(name)"))
      try rig.process("in.wav", "out.wav", in: "edit1")
      try rig.awaitStep("failed", of: "edit1")
      try rig.surface.event("error") { words in
        words.contains { $0.text?.contains("edit1.main passes by effect 1: ") == true }
      }
      rig.expectNames(["in.wav"])
    }
  }

  @Test(
    "Odd files that other programs play are processed whole",
    arguments: ["unfinished.wav", "chain.ogg", "chain.opus", "tag.flac", "front.mp3", "end.mp3"])
  func oddFiles(name: String) async throws {
    let rig = try await ProcessingHouse()
    let sound = CountedSound.sound(1..<96_000)
    let folder = rig.house.folder
    func bytes(_ format: Encoders.Format) throws -> Data {
      try Data(contentsOf: URL(filePath: Encoders.write(sound, format, in: folder.path, name: "odd")))
    }
    let (content, seconds): (Data, Double) =
      switch name {
      case "unfinished.wav":
        // The lengths of the file and of its data were never written.
        (try bytes(.wav).replacingLengths(), 2)
      case "chain.ogg": (try bytes(.vorbis) + bytes(.vorbis), 4)
      case "chain.opus": (try bytes(.opus) + bytes(.opus), 4)
      case "tag.flac": (try bytes(.flac) + Data("TAG".utf8) + Data(count: 125), 2)
      case "front.mp3": (Data([0, 13, 10]) + (try bytes(.mp3)), 2)
      default: (try bytes(.mp3) + Data(count: 2_000), 2)
      }
    try content.write(to: URL(filePath: rig.media.file(name)))
    try rig.process(name, "out.wav")
    try rig.awaitStep("done")
    let made = try SoundFile(path: rig.media.file("out.wav"))
    #expect(abs(Double(made.frames) / Double(made.sampleRate) - seconds) < 0.1)
    #expect(made.channels[0].suffix(made.sampleRate / 2).contains { abs($0) > 1e-5 })
  }

  @Test("A cancelled job, one of a session that ends, and one of a router that ends leave no file")
  func cancelled() async throws {
    let rig = try await ProcessingHouse()
    let surface = rig.surface
    try rig.makeSilence()
    try rig.process("in.wav", "out.wav")
    try rig.awaitStep("started")
    try surface.send("/session/edit/process/cancel")
    try rig.awaitStep("cancelled")
    #expect(try surface.number("/session/edit/processing") == 0)
    rig.expectNames(["in.wav"])

    try rig.process("in.wav", "out.wav")
    try surface.send("/session/edit/category", "playback")
    try rig.awaitStep("cancelled")
    try rig.process("in.wav", "out.wav", in: "edit1")
    try surface.send("/session/remove", "edit1")
    try rig.awaitStep("cancelled", of: "edit1")
    rig.expectNames(["in.wav"])

    try rig.process("in.wav", "out.wav", in: "edit2")
    try rig.process("in.wav", "out-2.wav", in: "edit3")
    let end = rig.house.router.terminate()
    #expect(end.code == 0 && end.seconds < 2)
    #expect(rig.names == ["in.wav"])
  }

  @Test("A job waits while a call interrupts its session, and goes on with it; the file has every frame")
  func interrupted() async throws {
    let rig = try await ProcessingHouse()
    let surface = rig.surface
    try rig.writeNoise(seconds: 300, channels: 1, rate: 8_000)
    try surface.send("/session/edit1/resume", "recommended")
    try rig.process("in.wav", "out.wav", in: "edit1")
    try rig.awaitStep("started", of: "edit1")
    try surface.send("/interruption/phone/on", 1)
    // A report that was on its way may still come.
    try surface.sync()
    usleep(300_000)
    let place = try surface.number("/session/edit1/processing")
    // Another session works meanwhile: the one that waits keeps no processor.
    try surface.send("/session/edit2/protected", 1)
    try surface.send("/session/edit2/active", 1)
    try rig.writeNoise("short.wav", seconds: 2)
    try rig.process("short.wav", "short-out.wav", in: "edit2")
    try rig.awaitStep("done", of: "edit2")
    #expect(try surface.number("/session/edit1/processing") == place)
    #expect(place < 1)
    try surface.send("/interruption/phone/on", 0)
    try rig.awaitStep("done", of: "edit1")
    #expect(try SoundFile(path: rig.media.file("out.wav")).frames == 300 * 8_000)
  }

  @Test("The ending of a name decides the format; what it cannot hold is refused")
  func formats() async throws {
    let rig = try await ProcessingHouse()
    try rig.writeNoise(seconds: 1)
    try rig.writeNoise("in48.wav", seconds: 1, rate: 48_000)
    for (name, begin) in [("a.flac", "fLaC"), ("b.ogg", "OggS"), ("c.aiff", "FORM")] {
      try rig.process("in.wav", name)
      try rig.awaitStep("done")
      #expect(try Data(contentsOf: URL(filePath: rig.media.file(name))).starts(with: begin.utf8))
      #expect(try SoundFile(path: rig.media.file(name)).frames == 44_100)
    }
    try rig.process("in48.wav", "d.opus")
    try rig.awaitStep("done")
    #expect(try SoundFile(path: rig.media.file("d.opus")).sampleRate == 48_000)
    expectRefusal(rig, "in.wav", "e.opus", .io, "not 44100")
    expectRefusal(rig, "in.wav", "e.m4a", .badValue, "end the name with .wav")
    expectRefusal(rig, "in.wav", "e", .badValue, "end the name with .wav")
  }

  // MARK: Bad input

  private enum Code: Int32 { case badValue = 3, notFound = 5, exists = 6, io = 15 }

  private func expectRefusal(
    _ rig: ProcessingHouse, _ input: String, _ output: String, _ code: Code, _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: ControlSurface.Refusal.self, sourceLocation: sourceLocation) {
      try rig.process(input, output)
    }
    #expect(
      error?.code == code.rawValue && error?.sentence.contains(words) == true,
      "\(error.map { "\($0)" } ?? "")",
      sourceLocation: sourceLocation)
  }

  @Test("Bad input is refused with what is wrong, and leaves the media folder as it is")
  func badInput() async throws {
    let rig = try await ProcessingHouse()
    let surface = rig.surface
    try rig.writeNoise(seconds: 1)
    try rig.writeNoise("six.wav", seconds: 1, channels: 6)
    try rig.media.write("no sound", to: "text.wav")
    _ = try rig.media.write("#EXTM3U", to: "list.m3u8")
    try Data([0, 0, 0, 0x20] + Array("ftypM4A ".utf8) + [UInt8](repeating: 0, count: 40)).write(
      to: URL(filePath: rig.media.file("song.m4a")))
    try wide.write(to: URL(filePath: rig.media.file("wide.wav")))
    try FileManager.default.createSymbolicLink(
      atPath: rig.media.file("link.wav"), withDestinationPath: "/etc/hostname")
    let before = rig.names
    for (input, code, words) in [
      ("missing.wav", Code.notFound, "there is no missing.wav"), ("text.wav", .io, "is not a sound file"),
      ("song.m4a", .io, "ffmpeg"), ("wide.wav", .io, "channels"), ("list.m3u8", .badValue, "playlist"),
      ("", .badValue, "folder"), ("../in.wav", .badValue, "leads out"),
      ("/etc/passwd", .badValue, "absolute"),
      ("link.wav", .badValue, "symbolic link"), ("six.wav", .badValue, "stream/create wide 6"),
    ] { expectRefusal(rig, input, "out.wav", code, words) }
    for (output, code, words) in [
      ("in.wav", Code.exists, "in-2.wav, which is free"), ("../out.wav", .badValue, "leads out"),
      ("/tmp/out.wav", .badValue, "absolute"), (".out.wav", .badValue, "hidden"),
      ("none/out.wav", .notFound, "no folder none"), ("link.wav", .exists, "link-2.wav"),
    ] { expectRefusal(rig, "in.wav", output, code, words) }
    #expect(rig.names == before)
    #expect(throws: ControlSurface.Refusal.self) { try rig.process("in.wav", "out.wav", in: "show") }
    #expect(throws: ControlSurface.Refusal.self) { try surface.send("/session/edit/process", "in.wav") }
    #expect(throws: ControlSurface.Refusal.self) { try surface.send("/session/edit/process/cancel") }
    try surface.send("/session/edit/active", 0)
    let inactive = #expect(throws: ControlSurface.Refusal.self) { try rig.process("in.wav", "out.wav") }
    #expect(inactive?.symbol == "inac")
    try surface.send("/session/edit/active", 1)
    try surface.send("/session/edit/mute", 1)
    let silent = #expect(throws: ControlSurface.Refusal.self) { try rig.process("in.wav", "out.wav") }
    #expect(silent?.symbol == "!res" && silent?.sentence.contains("muted") == true)
    #expect(rig.names == before)
  }

  /// A WAV file that declares 1,000 channels.
  private var wide: Data {
    let format = [(1, 2), (1_000, 2), (48_000, 4), (96_000_000, 4), (2_000, 2), (16, 2)].flatMap(Bytes.little)
    let body =
      Array("WAVEfmt ".utf8) + Bytes.little(16, 4) + format + Array("data".utf8) + Bytes.little(2_000, 4)
      + [UInt8](repeating: 0, count: 2_000)
    return Data(Array("RIFF".utf8) + Bytes.little(body.count, 4) + body)
  }

  @Test(
    "A disk that becomes full ends the job with the reason and leaves no file; so does one that is read-only",
    .enabled(if: PrivateDisk.isPossible))
  func fullDisk() async throws {
    let preset = House.preset(
      """
      "edit": { "category": "audioProcessing", "activate": "start", "output": "usb", "streams": { "main": {} } }
      """)
    let rig = try await RouterOnSmallDisk(preset: preset) { ["--media", $0] }
    try rig.surface.subscribe("/event/*")
    // The sound is one of those that come with the program; the file does not fit onto the disk.
    try rig.surface.send("/session/edit/process", "announcement.flac", "out.wav")
    try rig.surface.event("process", seconds: 60) { $0.prefix(2) == ["edit", "failed"] }
    try rig.surface.event("error") { $0.contains { $0.text?.contains("No space left on device") == true } }
    #expect(try rig.surface.number("/session/edit/processing") == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: rig.file("")).isEmpty)
    try rig.setReadOnly(true)
    let error = #expect(throws: ControlSurface.Refusal.self) {
      try rig.surface.send("/session/edit/process", "click.flac", "out.wav")
    }
    #expect(error?.symbol == "io" && error?.sentence.contains("Read-only") == true)
  }

  @Test(
    "A live show at a period of 64 frames loses nothing while jobs run in four sessions, one of them in the background"
  )
  func liveShow() async throws {
    try await LiveShowBesideJobs().expectWhole(seconds: 3, attempts: 3)
  }
}

extension Data {
  /// A wav file whose writer crashed before it had written any length.
  fileprivate func replacingLengths() -> Data {
    var bytes = self
    bytes.replaceSubrange(4..<8, with: Data(count: 4))
    if let data = bytes.range(of: Data("data".utf8)) {
      bytes.replaceSubrange(data.upperBound..<data.upperBound + 4, with: Data(count: 4))
    }
    return bytes
  }
}
