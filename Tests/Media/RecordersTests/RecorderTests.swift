import AwaitedEvents
import Encoders
import Foundation
import MediaKernel
import Recorders
import SoundFiles
import TemporaryFolders
import Testing
import Threads

@Suite struct RecorderTests {
  @Test(
    "A recording has exactly the frames that were given, in every format without loss",
    arguments: [SoundCoding(.wav), SoundCoding(.wav, bits: 32), SoundCoding(.flac, quality: .max)])
  func exact(coding: SoundCoding) throws {
    let folder = try TemporaryFolder()
    let rig = RecorderRig(RecorderSettings(folder: folder.path, coding: coding))
    _ = rig.recorder.prepare()
    rig.run(1_000)
    _ = rig.recorder.record(at: 1_500)
    rig.run(100_000)
    let path = try #require(rig.stop())
    let sound = try SoundFile(path: path)
    let isExact = sound == CountedSound.sound(1_500..<101_000)
    #expect(isExact)
    #expect(rig.recorder.lost == 0 && rig.recorder.path == nil)
    let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    #expect(rig.recorder.written.count == size)
    // Other programs agree.
    #expect(
      try Encoders.run("soxi", ["-s", path]).trimmingCharacters(in: .whitespacesAndNewlines) == "99500")
  }

  @Test(
    "The bytes of all files of a recorder are counted, also while it records, and the passes of its thread")
  func written() throws {
    let folder = try TemporaryFolder()
    let rig = RecorderRig(RecorderSettings(folder: folder.path))
    _ = rig.recorder.record()
    rig.run(60_000)
    _ = try #require(rig.stop())
    let one = rig.recorder.written.count
    #expect(one > 60_000 * 2 * 3)
    _ = rig.recorder.record()
    // The ring holds some seconds; what has left it is written.
    for _ in 0..<60 where rig.recorder.written.count == one { rig.run(48_000) }
    #expect(rig.recorder.written.count > one, "it counts while it records")
    _ = rig.stop()
    #expect(rig.events.wait(2) { if case .finished = $0 { true } else { false } })
    let sizes = try rig.events.all.compactMap { event -> Int? in
      guard case .finished(let path, _, _) = event else { return nil }
      return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    }
    #expect(sizes.count == 2)
    #expect(rig.recorder.written.count == sizes.reduce(0, +))
    let passes = rig.writer.passTimes
    #expect(passes.count > 1 && passes.seconds > 0)
    let longest = rig.writer.takeLongestPass()
    #expect(longest > 0 && longest <= passes.seconds)
  }

  @Test("Opus has the length of what was given, at its own rate", arguments: [48_000, 44_100])
  func opus(rate: Int) throws {
    let folder = try TemporaryFolder()
    let settings = RecorderSettings(folder: folder.path, coding: SoundCoding(.opus, quality: .low))
    let rig = RecorderRig(settings, rate: rate)
    _ = rig.recorder.record()
    rig.run(rate * 2)
    let path = try #require(rig.stop())
    let sound = try SoundFile(path: path)
    #expect(path.hasSuffix(".opus") && sound.sampleRate == 48_000 && sound.frames == 96_000)
    // 64 kbit/s for each of two channels.
    let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    #expect((10_000...50_000).contains(size), "\(size)")
  }

  @Test("Two recorders of one plan begin on the same frame, and their time stamps say so")
  func together() throws {
    let folder = try TemporaryFolder()
    let writer = RecorderWriter()
    let rigs = ["a", "b"].map { RecorderRig(RecorderSettings(folder: folder.path), id: $0, writer: writer) }
    for rig in rigs { _ = rig.recorder.record(at: 777) }
    for rig in rigs { rig.run(10_000) }
    // The second file of one begins 4,321 frames after the first one of both.
    let paths = try rigs.map { try #require($0.stop()) }
    for path in paths { #expect(try SoundFile(path: path).channels[0].first == CountedSound.sample(777)) }
    let stamps = try paths.map { try #require(try SoundFileReader(path: $0).framesSinceMidnight) }
    #expect(stamps[0] == stamps[1])
    #expect(stamps[0] > 0 && stamps[0] < 86_400 * 48_000)
  }

  @Test("A recording can begin with what was heard before, and ends at its limit")
  func beforeAndLimit() throws {
    let folder = try TemporaryFolder()
    var settings = RecorderSettings(folder: folder.path)
    (settings.before, settings.limit) = (0.5, 1)
    let rig = RecorderRig(settings)
    _ = rig.recorder.prepare()
    rig.run(100_000)
    _ = rig.recorder.record()
    rig.run(60_000)
    let path = try #require(rig.finished())
    let isExact = try SoundFile(path: path) == CountedSound.sound(76_000..<124_000)
    #expect(isExact)
    let end = rig.events.first { if case .finished(_, 1, let end) = $0 { end } else { nil } }
    #expect(end == .limit)
  }

  @Test("An order to record that follows a stop at once leaves the stop in force: a second file begins")
  func stopAndGo() throws {
    let folder = try TemporaryFolder()
    let rig = RecorderRig(RecorderSettings(folder: folder.path))
    for round in 1...20 {
      _ = rig.recorder.record()
      rig.run(1_000)
      // The file that the order begins is there; the former one is finished before.
      #expect(rig.events.wait(round) { if case .started = $0 { true } else { false } })
      _ = rig.recorder.stop()
      rig.run(1_000)
    }
    #expect(rig.events.wait(20) { if case .finished = $0 { true } else { false } })
    let paths = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(paths.count == 20)
    for path in paths { #expect(try SoundFile(path: "\(folder.path)/\(path)").frames == 1_000) }
  }

  @Test("An order to record that follows the failure of a file or its limit at once begins a file")
  func failAndGo() throws {
    let folder = try TemporaryFolder()
    let place = folder.file("recordings")
    try Data().write(to: URL(filePath: place))
    var settings = RecorderSettings(folder: place)
    settings.limit = 0.1
    let rig = RecorderRig(settings)
    /// Orders the end and the beginning within one period, so that the audio thread sees the beginning alone.
    func go() {
      _ = rig.recorder.stop()
      _ = rig.recorder.record()
      rig.run(10_000)
    }
    _ = rig.recorder.record()
    rig.run(1_000)
    #expect(rig.events.wait { if case .failed = $0 { true } else { false } })
    try FileManager.default.removeItem(atPath: place)
    for round in 1...3 {
      go()
      #expect(rig.events.wait(round) { if case .finished(_, 0.1, .limit) = $0 { true } else { false } })
    }
    let paths = try FileManager.default.contentsOfDirectory(atPath: place)
    #expect(paths.count == 3)
    for path in paths {
      let samples = try SoundFile(path: "\(place)/\(path)").channels[0]
      #expect(samples.count == 4_800)
      #expect(zip(samples, samples.dropFirst()).allSatisfy { abs($1 - $0 - CountedSound.sample(1)) < 1e-9 })
    }
  }

  @Test("A pause leaves out what comes, and the same file goes on")
  func pause() throws {
    let folder = try TemporaryFolder()
    let rig = RecorderRig(RecorderSettings(folder: folder.path))
    _ = rig.recorder.record()
    rig.run(5_000)
    _ = rig.recorder.pause()
    rig.run(7_000)
    _ = rig.recorder.record()
    rig.run(3_000)
    let path = try #require(rig.stop())
    let expected =
      (0..<5_000).map { CountedSound.sample($0) } + (12_000..<15_000).map { CountedSound.sample($0) }
    let isExact = try SoundFile(path: path).channels[0] == expected
    #expect(isExact)
  }

  @Test("The owner hears of each step of a recording, with frames, seconds and the reason of its end")
  func steps() throws {
    let folder = try TemporaryFolder()
    let rig = RecorderRig(RecorderSettings(folder: folder.path))
    _ = rig.recorder.prepare()
    rig.run(1_024)
    #expect(rig.events.wait { $0 == .prepared })
    _ = rig.recorder.record(at: 1_500)
    rig.run(7_024)
    _ = rig.recorder.pause()
    rig.run(4_096)
    _ = rig.recorder.record()
    rig.run(4_800)
    let path = try #require(rig.stop())
    let seconds = Double(1_024 + 7_024 - 1_500) / 48_000
    #expect(
      rig.events.all == [
        .prepared, .started(path: path, frame: 1_500), .paused(seconds: seconds),
        .resumed(frame: 1_024 + 7_024 + 4_096),
        .finished(path: path, seconds: seconds + 0.1, .stopped),
      ])
  }

  @Test("Room for ten seconds is reserved ahead, and given back at the end")
  func reserved() throws {
    // Every Linux has a file system there that reserves room.
    let folder = try TemporaryFolder(in: "/dev/shm")
    let rig = RecorderRig(RecorderSettings(folder: folder.path))
    _ = rig.recorder.record()
    rig.run(1_000)
    let path = try #require(rig.events.first { if case .started(let path, _) = $0 { path } else { nil } })
    func room() -> Int {
      var status = stat()
      return stat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
    }
    let second = 48_000 * 2 * 3
    #expect(room() >= 10 * second)
    _ = try #require(rig.stop())
    let frames = try SoundFile(path: path).frames
    #expect(room() < second && frames == 1_000)
  }

  @Test("No file is ever overwritten", arguments: ["take", "take-{n}", "{recorder}"])
  func names(template: String) throws {
    let folder = try TemporaryFolder()
    var settings = RecorderSettings(folder: folder.path)
    settings.template = try RecordingTemplate(template)
    var paths: Set<String> = []
    for frames in [1_000, 2_000, 3_000] {
      let rig = RecorderRig(settings, id: "take")
      _ = rig.recorder.record()
      rig.run(frames)
      paths.insert(try #require(rig.stop()))
    }
    let lengths = try paths.map { try SoundFile(path: $0).frames }
    #expect(lengths.sorted() == [1_000, 2_000, 3_000])
    #expect(paths.contains(folder.file("take-2.wav")) && paths.contains(folder.file("take-3.wav")))
  }

  @Test("The words of a name stand for what they say, and what no name may have becomes a dash")
  func words() throws {
    let folder = try TemporaryFolder()
    var settings = RecorderSettings(folder: folder.path)
    settings.template = try RecordingTemplate("{scene}-{session}-{recorder}-{n}")
    for (scene, name) in [
      ("act-1", "act-1-show-take-1"), ("../a/{n}", "-..-a--n--show-take-1"), ("", "-show-take-1"),
    ] {
      (settings.scene, settings.session) = (scene, "show")
      let rig = RecorderRig(settings, id: "take")
      _ = rig.recorder.record()
      rig.run(1_000)
      #expect(rig.stop() == folder.file("\(name).wav"))
    }
  }

  @Test(
    "The user's own media folder is made for the first recording, for the user alone; another one is not made"
  )
  func ownFolder() throws {
    let folder = try TemporaryFolder()
    let own = folder.file("share/multiroute/media")
    var settings = RecorderSettings(folder: "\(own)/recordings")
    settings.ownFolder = own
    let rig = RecorderRig(settings, id: "take")
    _ = rig.recorder.record()
    rig.run(1_000)
    let path = try #require(rig.stop())
    #expect(try SoundFile(path: path).frames == 1_000)
    let permissions = try FileManager.default.attributesOfItem(atPath: own)[.posixPermissions] as? Int
    #expect(permissions == 0o700)
  }

  @Test(
    "A template that is no file name is refused",
    arguments: ["", "../a", "a/b", ".a", "{day}", "{n", "a\u{1}", String(repeating: "a", count: 129)])
  func badTemplates(text: String) {
    #expect(throws: RecordingTemplate.Problem.self) { try RecordingTemplate(text) }
  }

  @Test(
    "A slow disk loses whole periods only: silence of the same length stands for them, and they are counted")
  func slow() throws {
    let folder = try TemporaryFolder()
    let gate = Semaphore()
    let settings = RecorderSettings(folder: folder.path, coding: SoundCoding(.wav, bits: 32))
    let rig = RecorderRig(settings, stalling: gate)
    rig.waits = false
    _ = rig.recorder.record()
    // Eight seconds, of which the ring holds five and a half.
    rig.run(384_000)
    gate.signal()
    rig.waits = true
    rig.run(96_000)
    let path = try #require(rig.stop())
    let heard = try SoundFile(path: path).channels[0]
    #expect(heard.count == 480_000)
    #expect(rig.recorder.lost > 0 && rig.recorder.lost % 256 == 0, "nothing was lost")
    let wrong = heard.indices.filter { heard[$0] != CountedSound.sample($0) }
    #expect(wrong.count == rig.recorder.lost && wrong.allSatisfy { heard[$0] == 0 })
    #expect(rig.events.all.contains(.lost(frames: rig.recorder.lost)))
  }

  @Test("A folder that is not there, and a coding that does not fit, are told")
  func refused() throws {
    let folder = try TemporaryFolder()
    let missing = RecorderRig(RecorderSettings(folder: folder.file("nowhere/deeper")))
    _ = missing.recorder.record()
    missing.run(1_000)
    let error = missing.events.first { if case .failed(let error) = $0 { error } else { nil } }
    #expect("\(try #require(error))".hasSuffix(": No such file or directory"))
    let wide = RecorderRig(RecorderSettings(folder: folder.path, coding: SoundCoding(.flac)), channels: 9)
    _ = wide.recorder.record()
    wide.run(1_000)
    let problem = wide.events.first { if case .failed(let error) = $0 { error } else { nil } }
    #expect("\(try #require(problem))".hasSuffix("flac has at most 8 channels, not 9; wav has room for them"))
  }

  @Test("A file that is removed while it is recorded is an error")
  func removed() throws {
    let folder = try TemporaryFolder()
    let rig = RecorderRig(RecorderSettings(folder: folder.path))
    _ = rig.recorder.record()
    rig.run(1_000)
    let path = try #require(rig.events.first { if case .started(let path, _) = $0 { path } else { nil } })
    try FileManager.default.removeItem(atPath: path)
    rig.run(96_000)
    let error = rig.events.first {
      if case .finished(path, _, .failed(let error)) = $0 { error } else { nil }
    }
    #expect("\(try #require(error))".hasSuffix("it was removed or replaced while it was recorded"))
  }

  @Test("The thread sleeps while nothing records")
  func asleep() throws {
    let folder = try TemporaryFolder()
    let rig = RecorderRig(RecorderSettings(folder: folder.path))
    _ = rig.recorder.record()
    rig.run(1_000)
    _ = try #require(rig.stop())
    // It may be in its last pass.
    var before = -1
    while before != rig.writer.passes {
      before = rig.writer.passes
      usleep(100_000)
    }
  }
}
