import Encoders
import Foundation
import SoundFiles
import TestKit
import Testing

/// `multiroute render` with the players of a preset.
@Suite struct RenderedPlayersTests {
  /// - Parameters:
  ///   - queue: as in a preset.
  ///   - normalise: LUFS.
  ///   - output: the file that is written.
  private func render(
    _ queue: String, normalise: Double? = nil, over output: String = "heard.wav", script: String = "",
    in folder: TemporaryFolder
  ) throws -> (code: Int32?, errors: String) {
    let preset = try folder.write(
      """
      { "multiroute": 1,
        "ports": { "usb": { "type": "usbAudio", "outputs": ["USB:*"], "channels": 2, "ceiling": 0 } },
        "sessions": { "show": { "category": "multiRoute", "activate": "manual", "streams": {
          "band": { "channels": 2, "to": { "usb:1-2": 0 } } } } },
        "players": { "walkin": { "session": "show", "stream": "band", "queue": [\(queue)], "playing": true,
          "normalise": \(normalise.map { "\($0)" } ?? "\"off\"") } } }
      """, to: "show.json")
    let result = try Program.run(
      [
        "render", preset, "--out", "usb=\(folder.file(output))", "--seconds", "2", "--rate", "48000",
        "--media", folder.file("music"), "--script", try folder.write(script, to: "script.txt"),
      ], in: folder)
    return (result.code, "\(result.errors)")
  }

  private func folder(_ parts: [Range<Int>]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("music"), withIntermediateDirectories: true)
    for (index, part) in parts.enumerated() {
      try CountedSound.sound(part).write(path: folder.file("music/\(index).wav"))
    }
    return folder
  }

  /// Frames of the ramp with which everything opens that sounds from the first frame on.
  private static let opening = 1_000

  @Test(
    "A rendered show plays the files of its players from its first frame on, after its opening bit for bit, and joined"
  )
  func exact() throws {
    let folder = try folder([1..<20_000, 20_000..<50_000])
    let result = try render(#""0.wav", "1.wav""#, in: folder)
    #expect(result.code == 0, "\(result.errors)")
    let heard = try SoundFile(path: folder.file("heard.wav")).channels
    try #require(heard.count == 2 && heard[0].count == 96_000)
    for channel in 0..<2 {
      let expected = CountedSound.sound(1..<50_000).channels[channel]
      #expect(
        SignalCheck.firstDifference(heard[channel][Self.opening..<49_999], expected[Self.opening...]) == nil)
      #expect(heard[channel][49_999...].allSatisfy { $0 == 0 })
    }
  }

  @Test("Items are normalised from their first frame on, each by its own loudness")
  func normalised() throws {
    let folder = try folder([])
    // A tone of 1 kHz in both channels is as loud in LUFS as in dBFS.
    for (name, level) in [("low", -33.0), ("loud", -13.0)] {
      let tone = (0..<40_000).map {
        Float(pow(10, level / 20) * sin(2 * .pi * 1_000 * Double($0) / 48_000))
      }
      try SoundFile(channels: [tone, tone], sampleRate: 48_000).write(path: folder.file("music/\(name).wav"))
    }
    let result = try render(#""low.wav", "loud.wav""#, normalise: -23, in: folder)
    #expect(result.code == 0, "\(result.errors)")
    let heard = try SoundFile(path: folder.file("heard.wav")).channels[0]
    // The ramps at the beginning and at the join take 20 ms, and the join is noticed with a period.
    for part in [1_000..<39_000, 43_000..<79_000] {
      let power = heard[part].reduce(0) { $0 + Double($1 * $1) } / Double(part.count)
      #expect(abs(10 * log10(2 * power) + 23) < 0.1, "\(part)")
    }
  }

  @Test("render writes no file that a player plays, whatever its script says")
  func renderOver() throws {
    let folder = try folder([1..<20_000, 1..<10_000])
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.file("music/1.wav")))
    for script in ["", "0.5 /no/such/address\n"] {
      let result = try render(#""0.wav", "1.wav""#, over: "music/1.wav", script: script, in: folder)
      #expect(result.code == 64, "\(result.errors)")
      let output = folder.file("music/1.wav")
      #expect(
        result.errors.contains("--out writes \(output), which the player walkin plays; name another file"),
        "\(result.errors)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == before)
    }
  }

  @Test("A file that cannot be played is named, and the others are rendered")
  func missing() throws {
    let folder = try folder([1..<20_000])
    let result = try render(#""gone.wav", "0.wav""#, in: folder)
    #expect(result.code == 1)
    #expect(result.errors.contains("gone.wav"), "\(result.errors)")
    let heard = try SoundFile(path: folder.file("heard.wav")).channels
    let expected = CountedSound.sound(1..<20_000).channels[0]
    #expect(Array(expected[Self.opening...]) == Array(heard[0][Self.opening..<expected.count]))
  }
}
