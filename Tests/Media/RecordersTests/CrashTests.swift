import AwaitedEvents
import Chance
import Encoders
import Foundation
import MediaKernel
import Recorders
import SoundFiles
import TemporaryFolders
import Testing

@Suite(.serialized) struct CrashTests {
  /// Moments of each format at which the program is killed; ten times as many in `make soak`.
  static let moments = Soak.count(3, of: 50)

  @Test(
    "A recording whose program was killed is valid, and lacks a second at most",
    arguments: SoundCoding.Format.allCases, 0..<moments)
  func killed(format: SoundCoding.Format, moment: Int) async throws {
    let folder = try TemporaryFolder()
    // Of several lengths, that fall everywhere between two updates of the header.
    let frames = 100_000 + moment * 12_345
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = folder.path as String, name = format.rawValue as String, frames = frames as Int] in
      let coding = SoundCoding(try #require(SoundCoding.Format(rawValue: name)))
      let rig = RecorderRig(RecorderSettings(folder: path, coding: coding))
      _ = rig.recorder.record()
      rig.run(frames)
      while rig.recorder.buffered > 0.01 { usleep(1_000) }
      kill(getpid(), SIGKILL)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let path = folder.file(try #require(names.first))
    #expect(RecordingRepair.repair(folder: folder.path) == (format == .flac ? [path] : []))
    let sound = try SoundFile(path: path)
    let whole = sound.frames
    #expect(whole > frames - 48_000 && whole <= frames + 48_000, "\(whole) of \(frames)")
    guard format != .opus else { return }
    let isExact = sound.channels == CountedSound.sound(0..<whole).channels
    #expect(isExact, "it begins with \(sound.channels[0].prefix(3))")
    // And sox reads the same.
    try Encoders.run("sox", [path, "-b", "32", "-e", "floating-point", folder.file("sox.wav")])
    let read = try SoundFile(path: folder.file("sox.wav"))
    let isSame = read.channels[0].elementsEqual(sound.channels[0].prefix(read.frames))
    #expect(read.frames > frames - 48_000 && isSame)
    if format == .flac { try Encoders.run("flac", ["-s", "-t", path]) }
  }

  @Test(
    "A full disk ends the recording with an error, and what found room is a valid file",
    .enabled(if: mayMount, "only root mounts a small disk"), arguments: SoundCoding.Format.allCases)
  func full(format: SoundCoding.Format) throws {
    let folder = try TemporaryFolder()
    let disk = folder.file("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    try Encoders.run("mount", ["-t", "tmpfs", "-o", "size=1m", "none", disk])
    defer { _ = try? Encoders.run("umount", ["-l", disk]) }
    try Self.fill(disk, format)
  }

  @Test(
    "A file that may not grow ends the recording with an error, and what found room is a valid file",
    arguments: SoundCoding.Format.allCases)
  func limited(format: SoundCoding.Format) async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) {
      [path = folder.path as String, name = format.rawValue as String] in
      // Without the signal, the system refuses to write, as a full disk does.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
      try #require(setrlimit(__rlimit_resource_t(1), &limit) == 0)
      try Self.fill(path, try #require(SoundCoding.Format(rawValue: name)))
    }
  }

  private static let mayMount = geteuid() == 0

  /// Records to a folder until there is no room, and reads what is there.
  private static func fill(_ disk: String, _ format: SoundCoding.Format) throws {
    let rig = RecorderRig(RecorderSettings(folder: disk, coding: SoundCoding(format, quality: .max)))
    // Noise, which no coding makes small.
    let sample: (Int, Int) -> Float = { frame, channel in
      let mixed = UInt32(truncatingIfNeeded: (frame &* 2 &+ channel) &* 0x9E37_79B9) &* 0x85EB_CA6B
      return Float(Int32(bitPattern: mixed ^ mixed << 13) >> 8) / 8_388_608
    }
    rig.sample = sample
    _ = rig.recorder.record()
    rig.run(48_000 * (format == .opus ? 60 : 10))
    let error = rig.events.first { if case .finished(_, _, .failed(let error)) = $0 { error } else { nil } }
    let reason = "\(try #require(error))"
    let reasons = ["no room for another second", "the disk is full", "File too large"]
    #expect(reasons.contains { reason.contains($0) }, "\(reason)")
    let names = try FileManager.default.contentsOfDirectory(atPath: disk)
    let sound = try SoundFile(path: "\(disk)/\(try #require(names.first))")
    // A megabyte has room for some seconds.
    #expect(sound.frames > 100_000)
    guard format != .opus else { return }
    let isExact = sound.channels == (0..<2).map { channel in (0..<sound.frames).map { sample($0, channel) } }
    #expect(isExact)
  }

  @Test(
    "A wav grows past 4 GiB and is read back right",
    .enabled(if: Soak.isRunning))
  func large() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    let writer = try SoundFileWriter(newPath: path, SoundCoding(.wav), channelCount: 64, sampleRate: 48_000)
    let silence = [Float](repeating: 0, count: 65_536 * 64)
    // 23.6 million frames of 192 bytes.
    for _ in 0..<360 { try writer.write(interleaved: silence[...]) }
    writer.updateHeader()
    try writer.write(interleaved: [Float](repeating: 0.5, count: 64)[...])
    try writer.close()
    let reader = try SoundFileReader(path: path)
    #expect(reader.length == 360 * 65_536 + 1)
    try reader.seek(to: 360 * 65_536)
    #expect(reader.read(frames: 2).map(\.first) == Array(repeating: 0.5, count: 64))
    let told = try Encoders.run("soxi", ["-s", path]).trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(told == "\(360 * 65_536 + 1)")
  }
}
