import Checkout
import Foundation
import SoundFiles
import Testing

@Suite struct ShippedSoundsTests {
  static let folder = Checkout.root.appending(path: "presets/media")

  @Test(
    "Every shipped sound is readable at 48 kHz, as long as its page states, and neither silent nor clipped",
    arguments: [
      ("music.ogg", 2, 768_000), ("click.flac", 1, 96_000), ("foyer.ogg", 1, 384_000),
      ("announcement.flac", 1, 378_090),
    ])
  func sounds(name: String, channels: Int, frames: Int) throws {
    let sound = try SoundFile(path: Self.folder.appendingPathComponent(name).path)
    #expect((sound.sampleRate, sound.channels.count, sound.frames) == (48_000, channels, frames))
    for channel in sound.channels {
      let peak = channel.reduce(0) { max($0, abs($1)) }
      #expect((0.3...0.9).contains(peak))
    }
  }

  @Test("All shipped sounds together are small")
  func size() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let sizes = try files.map {
      try Data(contentsOf: Self.folder.appendingPathComponent($0)).count
    }
    #expect(sizes.reduce(0, +) < 1_500_000)
  }
}
