import Foundation
import SoundFiles
import SpeechSounds
import StageKit
import TestKit
import Testing
import WildPlugins

/// `render` with effects.
@Suite struct RenderedEffectTests {
  /// - Parameters:
  ///   - effects: of the stream, as JSON.
  ///   - output: more keys of the output.
  private func render(_ effects: String, output: String = "") throws -> (
    heard: [Float], sound: [Float], code: Int32?, errors: String
  ) {
    let (folder, plugins) = (try TemporaryFolder(), try WildPlugins())
    var noise = NoiseSource()
    let sound = (0..<20_000).map { _ in noise.next() * 0.25 }
    try SoundFile(channels: [sound, sound], sampleRate: 48_000).write(path: folder.file("band.wav"))
    let preset = House.preset(
      """
      "show": { "category": "multiRoute", "activate": "start", "streams": {
        "band": { "channels": 2, "from": ["Band:out_*"], "to": { "usb:1-2": 0 }, "effects": \(effects) } } }
      """
    ).replacing("\"channels\": 4", with: "\"channels\": 4\(output)")
    let result = try Program.run(
      [
        "render", folder.write(preset, to: "show.json"), "--in", "show.band=\(folder.file("band.wav"))",
        "--out", "usb=\(folder.file("out.wav"))",
      ], in: folder, environment: ["LV2_PATH": plugins.path])
    return (try SoundFile(path: folder.file("out.wav")).channels[0], sound, result.code, "\(result.errors)")
  }

  /// Frames of a period of `render`.
  private static let period = 256
  /// Frames after which all ramps have ended.
  private static let begin = 2_000

  @Test("A rendered stream goes through its effects from the first period on, and no block of it is missing")
  func rendered() throws {
    let (heard, sound, code, errors) = try render(
      "[{ \"plugin\": \"urn:multiroute:wild\", \"set\": { \"gain\": 0.5 } }]")
    let delayed = sound.dropLast(Self.period).map { $0 * 0.5 }
    #expect(heard.count >= sound.count && code == 0 && errors.isEmpty, "\(errors)")
    let pairs = zip(heard[(Self.period + Self.begin)...], delayed[Self.begin...])
    // The file has 24 bits.
    #expect(pairs.allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test("A plugin that crashes or is not installed is said, and the file is dry from there on")
  func faulty() throws {
    for (chain, words) in [
      ("[{ \"plugin\": \"urn:multiroute:crashes\" }]", "has crashed"),
      ("[\"urn:multiroute:nowhere\"]", "urn:multiroute:nowhere"),
    ] {
      let (heard, sound, code, errors) = try render(chain)
      #expect(code == 1 && errors.contains(words), "\(errors)")
      let pairs = zip(heard[(Self.period + Self.begin)...], sound[Self.begin...])
      #expect(pairs.allSatisfy { abs($0 - $1) < 1e-6 })
    }
  }

  @Test(
    "A rendered output goes through its effects behind those of the stream, and one that needs them is silent without"
  )
  func output() throws {
    let half = "[{ \"plugin\": \"urn:multiroute:wild\", \"set\": { \"gain\": 0.5 } }]"
    for keys in ["", ", \"fallback\": \"mute\""] {
      let (heard, sound, code, errors) = try render(half, output: ", \"effects\": \(half)\(keys)")
      #expect(code == 0 && errors.isEmpty, "\(errors)")
      let delayed = sound.dropLast(2 * Self.period).map { $0 * 0.25 }
      let pairs = zip(heard[(2 * Self.period + Self.begin)...], delayed[Self.begin...])
      #expect(pairs.allSatisfy { abs($0 - $1) < 1e-6 })
    }
    let (silent, _, code, errors) = try render(
      half, output: ", \"effects\": [\"urn:multiroute:nowhere\"], \"fallback\": \"mute\"")
    #expect(
      code == 1 && errors.contains("urn:multiroute:nowhere") && errors.contains("is muted"), "\(errors)")
    #expect(silent.count > 10_000 && silent.allSatisfy { $0 == 0 })
  }
}
