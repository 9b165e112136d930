import Foundation
import OSC
import SoundFiles
import TestKit
import Testing

/// A house with a media folder, and with sessions that process files beside a live show.
struct ProcessingHouse {
  let house: House
  let media: TemporaryFolder

  /// The preset: the live show, and four sessions for files.
  static let preset = House.preset(
    """
    "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "band": { "channels": 2, "from": ["Band:out_*"], "to": { "usb:1-2": 0 } } } },
    "edit": { "category": "audioProcessing", "activate": "start", "output": "usb", "gain": -6, "streams": {
      "main": { "channels": 2, "gain": -3, "pan": 0.25 }, "more": { "channels": 1, "gain": -12 } } },
    \((1...3).map { """
      "edit\($0)": { "category": "audioProcessing", "activate": "start", "output": "usb", "streams": { "main": {} } }
      """ }.joined(separator: ",\n"))
    """)

  init(period: Int = PrivateServer.period, environment: [String: String] = [:]) async throws {
    media = try TemporaryFolder()
    house = try await House(
      Self.preset, programs: ["source Band 2 ramp"], period: period, flags: ["--media", media.path],
      environment: environment)
    try house.surface.subscribe("/event/*")
  }

  var surface: ControlSurface { house.surface }

  /// Writes seconds of noise into the media folder.
  func writeNoise(_ name: String = "in.wav", seconds: Int, channels: Int = 2, rate: Int = 44_100) throws {
    var generator = SystemRandomNumberGenerator()
    let noise = (0..<channels).map { _ in
      (0..<rate).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
    }
    let writer = try SoundFileWriter(path: media.file(name), channelCount: channels, sampleRate: rate)
    for _ in 0..<seconds { try writer.write(noise) }
    try writer.close()
  }

  /// Makes an hour of silence in stereo, as a file without blocks on the disk.
  func makeSilence(_ name: String = "in.wav") throws {
    let (rate, size) = (44_100, 3_600 * 44_100 * 4)
    let format = Bytes.little(1, 2) + Bytes.little(2, 2) + Bytes.little(rate, 4) + Bytes.little(rate * 4, 4)
    let head =
      Array("RIFF".utf8) + Bytes.little(size + 36, 4) + Array("WAVEfmt ".utf8) + Bytes.little(16, 4) + format
      + Bytes.little(4, 2) + Bytes.little(16, 2) + Array("data".utf8) + Bytes.little(size, 4)
    try Data(head).write(to: URL(filePath: media.file(name)))
    let file = try FileHandle(forWritingTo: URL(filePath: media.file(name)))
    try file.truncate(atOffset: UInt64(head.count + size))
    try file.close()
  }

  func process(_ input: String, _ output: String, in session: String = "edit") throws {
    try surface.send("/session/\(session)/process", .string(input), .string(output))
  }

  /// Waits for a step of a session's job.
  func awaitStep(_ phase: String, of session: String = "edit", seconds: Double = 60) throws {
    try surface.event("process", seconds: seconds) { $0.prefix(2) == [.string(session), .string(phase)] }
  }

  /// The names in the media folder, hidden ones too.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: media.path)) ?? []).sorted()
  }

  /// Waits until the media folder has only these names: a cancelled job removes its file a little later.
  func expectNames(_ expected: [String]) {
    let end = ContinuousClock.now + .seconds(10)
    while names != expected, ContinuousClock.now < end { usleep(5_000) }
    #expect(names == expected)
  }
}

/// Bytes of sound files that the tests make by hand.
enum Bytes {
  /// A number, the lowest byte first.
  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(value >> (8 * $0) & 255) }
  }
}
