import Foundation
import SoundFiles
import TemporaryFolders
import Testing

@Suite struct NewSoundFileTests {
  let folder: TemporaryFolder
  let samples: [[Float]] = [(0..<5_000).map { Float($0) / 5_000 }]

  init() throws { folder = try TemporaryFolder() }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []
  }

  private func begin(_ name: String = "a.wav", replaces: Bool = false) throws(MediaError) -> NewSoundFile {
    try NewSoundFile(path: folder.file(name), replaces: replaces, channelCount: 1, sampleRate: 48_000)
  }

  @Test("A file gets its name when it is whole, with all samples")
  func whole() throws {
    let file = try begin()
    try file.write(samples)
    #expect(names == [".a.wav.part"])
    try file.finish()
    #expect(names == ["a.wav"])
    #expect(try SoundFile(path: folder.file("a.wav")).channels == samples)
    file.giveUp()
    #expect(names == ["a.wav"])
  }

  @Test("A file that is given up, or forgotten, leaves nothing")
  func givenUp() throws {
    let file = try begin()
    try file.write(samples)
    file.giveUp()
    #expect(names.isEmpty)
    try file.write(samples)
    #expect(throws: MediaError.self) { try file.finish() }
    _ = try begin("b.flac")
    #expect(names.isEmpty)
  }

  @Test("A file of the name is replaced only on demand, and stays if it appears meanwhile")
  func replaces() throws {
    try folder.write("mine", to: "a.wav")
    let error = #expect(throws: MediaError.self) { try begin() }
    #expect(error?.description.contains("never overwritten") == true)
    let file = try begin(replaces: true)
    try file.write(samples)
    #expect(try String(contentsOfFile: folder.file("a.wav"), encoding: .utf8) == "mine")
    try file.finish()
    #expect(try SoundFile(path: folder.file("a.wav")).channels == samples)

    let late = try begin("b.wav")
    try folder.write("mine", to: "b.wav")
    #expect(throws: MediaError.self) { try late.finish() }
    late.giveUp()
    #expect(try String(contentsOfFile: folder.file("b.wav"), encoding: .utf8) == "mine")
    #expect(names == ["a.wav", "b.wav"])
  }

  @Test("Two files of one name are not written at once, and what a killed program left is replaced")
  func locks() throws {
    let first = try begin()
    let error = #expect(throws: MediaError.self) { try begin() }
    #expect(error?.description.contains("being written already") == true)
    first.giveUp()
    let second = try begin()
    try second.write(samples)
    try second.finish()
    try folder.write("left by a killed program", to: ".c.wav.part")
    let third = try begin("c.wav")
    try third.write(samples)
    try third.finish()
    #expect(try SoundFile(path: folder.file("c.wav")).channels == samples)
  }

  @Test("What a format cannot hold, a device and a missing folder are refused, and nothing is made")
  func refusals() throws {
    func reason(_ path: String, channels: Int = 1, rate: Int = 48_000, replaces: Bool = false) -> String {
      let error = #expect(throws: MediaError.self) {
        try NewSoundFile(path: path, replaces: replaces, channelCount: channels, sampleRate: rate)
      }
      return error?.description ?? ""
    }
    #expect(reason(folder.file("a.flac"), channels: 9).contains("at most 8 channels"))
    #expect(reason(folder.file("a.opus"), rate: 44_100).contains("not 44100"))
    #expect(reason(folder.file("a.m4a")).contains("end the name with .wav"))
    #expect(reason(folder.file("absent/a.wav")).contains("No such file"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("null.wav"), withDestinationPath: "/dev/null")
    #expect(reason(folder.file("null.wav"), replaces: true).contains("a device, not a file"))
    #expect(names == ["null.wav"])
  }

  @Test(
    "A file plays into streams piece by piece: mono on all channels, several into one summed at equal power")
  func feeds() throws {
    let stereo = [samples[0], samples[0].map { -2 * $0 }]
    try SoundFile(channels: stereo, sampleRate: 48_000).write(path: folder.file("two.wav"))
    try SoundFile(channels: samples, sampleRate: 48_000).write(path: folder.file("one.wav"))
    for piece in [1, 100, 256, 5_000, 9_000] {
      let (one, two) = (
        try SoundFeed(path: folder.file("one.wav")), try SoundFeed(path: folder.file("two.wav"))
      )
      var (mono, left, right, sum): ([Float], [Float], [Float], [Float]) = ([], [], [], [])
      var counts: [Int] = []
      while true {
        let count = try two.advance(frames: piece)
        #expect(try one.advance(frames: piece) == count)
        guard count > 0 else { break }
        counts.append(count)
        mono += try #require(one.samples(channel: 2, of: 2))
        left += try #require(two.samples(channel: 1, of: 4))
        right += try #require(two.samples(channel: 2, of: 4))
        sum += try #require(two.samples(channel: 1, of: 1))
        #expect(two.samples(channel: 3, of: 4) == nil)
      }
      #expect(mono == samples[0] && [left, right] == stereo)
      #expect(zip(sum, samples[0]).allSatisfy { abs($0 + $1 / Float(2).squareRoot()) < 1e-6 })
      #expect(counts.dropLast().allSatisfy { $0 == piece } && counts.reduce(0, +) == 5_000)
      #expect(two.samples(channel: 1, of: 2) == nil)
      #expect(two.misfit(with: "x", channels: 1) == nil && two.misfit(with: "x", channels: 2) == nil)
    }
    try SoundFile(channels: stereo + stereo, sampleRate: 48_000).write(path: folder.file("four.wav"))
    let four = try SoundFeed(path: folder.file("four.wav"))
    #expect(
      four.misfit(with: "the stream a", channels: 2)?.contains("4 channels, and the stream a has 2") == true)
  }

  @Test("A file that ends early is an error, not a shorter sound")
  func damaged() throws {
    try SoundFile(channels: samples, sampleRate: 48_000).write(path: folder.file("a.flac"))
    let bytes = try Data(contentsOf: URL(filePath: folder.file("a.flac")))
    try bytes.prefix(bytes.count / 2).write(to: URL(filePath: folder.file("cut.flac")))
    let feed = try SoundFeed(path: folder.file("cut.flac"))
    #expect(throws: MediaError.self) { while try feed.advance(frames: 256) > 0 {} }
  }
}
