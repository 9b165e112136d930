import AwaitedEvents
import Foundation
import SoundConversion
import SoundFiles
import TemporaryFolders
import Testing

@Suite struct LoudnessTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes tones of 1 kHz in two channels, of some seconds each at a level in dBFS, as EBU Tech 3341 describes them. Returns the path.
  private func write(_ tones: [(seconds: Int, level: Double)], to name: String = "a.wav") throws -> String {
    let samples = tones.flatMap { tone in
      (0..<tone.seconds * 48_000).map {
        Float(pow(10, tone.level / 20) * sin(2 * .pi * 1_000 * Double($0) / 48_000))
      }
    }
    try SoundFile(channels: [samples, samples], sampleRate: 48_000).write(path: folder.file(name))
    return folder.file(name)
  }

  /// Asks a cache, and waits for its answer.
  private func ask(_ cache: LoudnessCache, _ path: String) -> Result<SoundLoudness, MediaError>? {
    let answers = AwaitedEvents<Result<SoundLoudness, MediaError>>()
    cache.measure(path) { answers.add($0) }
    return answers.first { $0 }
  }

  @Test("The reference tones of the EBU have their loudness within 0.1 LU")
  func reference() throws {
    for (tones, loudness) in [
      ([(20, -23.0)], -23.0), ([(20, -33)], -33), ([(10, -36), (60, -23), (10, -36)], -23),
    ] as [([(seconds: Int, level: Double)], Double)] {
      let measured = try #require(try SoundLoudness.measure(path: try write(tones)))
      #expect(abs(try #require(measured.loudness) - loudness) < 0.1, "\(measured)")
    }
  }

  @Test("Normalising lifts no sample above -1 dBFS")
  func gain() throws {
    let quiet = try #require(try SoundLoudness.measure(path: try write([(5, -30)])))
    #expect(abs(quiet.gain(to: -23) - 7) < 0.1)
    // The peak is at -30 dBFS: no more than 29 dB fit.
    #expect(abs(quiet.gain(to: 5) - 29) < 0.01)
    #expect(SoundLoudness(loudness: nil, peak: 0).gain(to: -23) == 0)
  }

  @Test("A cache measures a file once, and keeps the result")
  func kept() throws {
    let (path, kept) = (try write([(5, -23)]), folder.file("state/loudness"))
    let first = try #require(ask(LoudnessCache(path: kept), path)).get()
    #expect(abs(try #require(first.loudness) + 23) < 0.1)
    // Another sound of the same size and time is not measured: the answer comes from the file.
    let time = try #require(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate])
    _ = try write([(5, -13)])
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
    var cache = LoudnessCache(path: kept)
    // Setting a time in this way loses some nanoseconds, so the first look measures.
    let second = try #require(ask(cache, path)).get()
    #expect(abs(try #require(second.loudness) + 13) < 0.1)
    cache.stop()
    cache = LoudnessCache(path: kept)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    var times = [timespec(), timespec()]
    var status = stat()
    #expect(fstat(file.fileDescriptor, &status) == 0)
    times = [status.st_atim, status.st_mtim]
    try file.seek(toOffset: 1_000)
    try file.write(contentsOf: Data(repeating: 0, count: 1_000_000))
    #expect(futimens(file.fileDescriptor, times) == 0)
    #expect(try #require(ask(cache, path)).get() == second)
  }

  @Test("A lost or damaged file of the cache is made anew", arguments: ["", "other", "line"])
  func damaged(how: String) throws {
    let (path, kept) = (try write([(5, -23)]), folder.file("loudness"))
    var cache = LoudnessCache(path: kept)
    let measured = try #require(ask(cache, path)).get()
    cache.stop()
    let whole = try String(contentsOfFile: kept, encoding: .utf8)
    #expect(whole.contains(path))
    switch how {
    case "": try FileManager.default.removeItem(atPath: kept)
    case "other": try Data([0xFF, 0, 0x0A, 0x80]).write(to: URL(fileURLWithPath: kept))
    // A loudness that was changed does not fit its sum.
    default: try whole.replacing("-2", with: "-3").write(toFile: kept, atomically: true, encoding: .utf8)
    }
    cache = LoudnessCache(path: kept)
    #expect(try #require(ask(cache, path)).get() == measured)
    cache.stop()
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == whole)
  }

  @Test(
    "Channels or a rate that the library does not take have no loudness", arguments: [(65, 48_000), (2, 8)])
  func beyond(channels: Int, rate: Int) throws {
    let meter = try LoudnessMeter(
      channels: channels, sampleRate: rate, measures: [.integrated, .samplePeak, .truePeak])
    meter.add([Float](repeating: 0.5, count: channels * 48_000), frames: 48_000)
    #expect(meter.loudness == nil && meter.peak == 0 && meter.lastTruePeak(ofChannel: channels - 1) == 0)
  }

  @Test("A file that cannot be read is an error, and the next one is measured")
  func missing() throws {
    let cache = LoudnessCache(path: nil)
    #expect(throws: MediaError.self) { try #require(ask(cache, folder.file("absent.wav"))).get() }
    #expect(try #require(ask(cache, try write([(1, -20)]))).get().loudness != nil)
  }

  @Test(
    "A stereo sine of 1 kHz at -23 dBFS has -23 LUFS (EBU Tech 3341, case 1), and its gain is limited by its peak"
  )
  func loudness() throws {
    let level = Float(pow(10, -23.0 / 20))
    let sine = (0..<48_000 * 20).map { level * Float(sin(2 * .pi * 1_000 * Double($0) / 48_000)) }
    try SoundFile(channels: [sine, sine], sampleRate: 48_000).write(path: folder.file("a.wav"))
    let measured = try #require(try SoundLoudness.measure(path: folder.file("a.wav")))
    #expect(abs(try #require(measured.loudness) + 23) < 0.1)
    #expect(abs(measured.gain(to: -16) - 7) < 0.1)
    // -1 dBFS is the ceiling.
    #expect(abs(measured.gain(to: 10) - 22) < 0.1)
    try SoundFile(channels: [[Float](repeating: 0, count: 48_000)], sampleRate: 48_000).write(
      path: folder.file("b.wav"))
    #expect(try SoundLoudness.measure(path: folder.file("b.wav")) == SoundLoudness(loudness: nil, peak: 0))
    #expect(SoundLoudness(loudness: nil, peak: 0).gain(to: -16) == 0)
  }
}
