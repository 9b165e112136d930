import Chance
import Encoders
import Foundation
import SoundFiles
import TemporaryFolders
import Testing

@Suite("Random sound files")
struct SoundFuzzTests {
  static let formats: [Encoders.Format] = [.wav, .aiff, .caf, .flac, .oggFlac, .vorbis, .opus, .mp3]

  @Test(
    "A damaged file is refused or read, and neither crashes nor hangs the reader", arguments: formats.indices)
  func damaged(index: Int) throws {
    let folder = try TemporaryFolder()
    var dice = SeededGenerator(seed: FuzzBudget.seed(100 + index))
    let noise = (0..<12_000).map { _ in
      Float(Int.random(in: -4_000_000...4_000_000, using: &dice)) / 8_388_608
    }
    let sound = SoundFile(channels: [noise, noise.reversed()], sampleRate: 48_000)
    let good = try Data(
      contentsOf: URL(fileURLWithPath: Encoders.write(sound, Self.formats[index], in: folder.path)))
    let path = folder.file("damaged")
    var (read, refused) = (0, 0)
    for _ in FuzzBudget(rounds: 60) {
      try Self.damage(good, &dice).write(to: URL(fileURLWithPath: path))
      do {
        let reader = try SoundFileReader(path: path)
        try Self.exercise(reader, &dice)
        read += 1
      } catch is MediaError { refused += 1 }
    }
    // The positive control: there were some of the first at least.
    #expect(read > 0, "\(refused) were refused")
  }

  /// Reads from some places, and checks what must hold whatever the file says.
  private static func exercise(_ reader: SoundFileReader, _ dice: inout SeededGenerator) throws {
    #expect((1...SoundFileReader.mostChannels).contains(reader.channelCount))
    #expect(SoundFileReader.rates.contains(reader.sampleRate))
    _ = reader.tags
    for _ in 0..<4 {
      let block = reader.read(frames: Int.random(in: 1...3_000, using: &dice))
      #expect(block.allSatisfy { $0.allSatisfy(\.isFinite) })
      let end = min(reader.length ?? 20_000, 100_000)
      try? reader.seek(to: Int.random(in: 0...max(0, end), using: &dice))
    }
    for _ in 0..<20 where reader.read(frames: 4_096)[0].isEmpty { break }
  }

  /// Changes some bytes, more of them at the start, where the headers are; or cuts or repeats a part.
  private static func damage(_ good: Data, _ dice: inout SeededGenerator) -> Data {
    var bytes = good
    switch Int.random(in: 0..<8, using: &dice) {
    case 0: bytes = bytes.prefix(Int.random(in: 0...bytes.count, using: &dice))
    case 1:
      let start = Int.random(in: 0..<bytes.count, using: &dice)
      bytes.removeSubrange(start..<min(bytes.count, start + Int.random(in: 1...500, using: &dice)))
    case 2:
      let start = Int.random(in: 0..<bytes.count, using: &dice)
      bytes.insert(contentsOf: bytes[start..<min(bytes.count, start + 300)], at: start)
    default:
      let reach = Bool.random(using: &dice) ? min(200, bytes.count) : bytes.count
      for _ in 0..<Int.random(in: 1...12, using: &dice) {
        let place = Int.random(in: 0..<reach, using: &dice)
        bytes[place] =
          Bool.random(using: &dice)
          ? [0, 0xFF, 0x7F, 0x80][place % 4] : UInt8.random(in: 0...255, using: &dice)
      }
    }
    return bytes
  }
}
