import Chance
import SongFiles
import SystemCalls
import Tags
import TemporaryFolders
import Testing

/// Damaged files at TagLib's edge. `make fuzz` runs this with the AddressSanitizer, which sees TagLib's use of the heap.
@Suite struct TagFuzzTests {
  @Test("A damaged file gives tags or an error, soon", arguments: SongFile.samples)
  func damagedFiles(ending: String) throws {
    let sample = try SongFile.sample(ending)
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(
      seed: FuzzBudget.seed(SongFile.samples.firstIndex(of: ending)! + 100))
    let path = folder.file("song")
    for _ in FuzzBudget(rounds: 150) {
      let bytes = Self.damage(sample, &generator)
      let descriptor = try System.open(path, [.readWrite, .create, .truncate])
      defer { System.close(descriptor) }
      try System.writeAll(descriptor, bytes)
      if let tags = try? TagReader.tags(of: descriptor) {
        #expect(tags.seconds.isFinite && tags.seconds >= 0 && tags.title.unicodeScalars.count <= 1_100)
      }
      _ = try? TagReader.cover(of: descriptor)
    }
  }

  /// Changes bytes, mostly in the first half, where the headers and tags are; cuts, doubles or leaves out a stretch.
  private static func damage(_ sample: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = sample
    for _ in 0..<Int.random(in: 1...8, using: &generator) {
      guard bytes.count > 16 else { return bytes }
      let near = Bool.random(using: &generator) ? bytes.count / 8 + 8 : bytes.count
      let index = Int.random(in: 0..<near, using: &generator)
      let end = min(bytes.count, index + Int.random(in: 1...64, using: &generator))
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: bytes.removeSubrange(index..<end)
      case 1: bytes.insert(contentsOf: bytes[index..<end], at: index)
      case 2: bytes.removeLast(Int.random(in: 0..<bytes.count / 2, using: &generator))
      case 3:
        let extreme: UInt8 = [0, 0xff, 0x7f, 0x80].randomElement(using: &generator)!
        for place in index..<min(end, index + 4) { bytes[place] = extreme }
      default: bytes[index] = UInt8.random(in: 0...255, using: &generator)
      }
    }
    return bytes
  }
}
