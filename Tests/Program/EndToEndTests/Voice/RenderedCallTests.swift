import SoundFiles
import SpeechSounds
import StageKit
import TestKit
import Testing

/// `render` with the recordings of a call.
@Suite struct RenderedCallTests {
  private let folder: TemporaryFolder
  private let far: [Float]
  private let desk: [Float]

  init() throws {
    folder = try TemporaryFolder()
    far = try Speech.samples(.man, seconds: 8, rate: 48_000)
    let room = EchoRoom(delay: 1_440, gain: Float(Decibels.amplitude(-9.4)), rate: 48_000)
    var noise = NoiseSource()
    var heard = far.map { _ in noise.next() * 0.000_5 }
    for begin in stride(from: 0, to: far.count, by: 4_096) {
      let (frames, time) = (min(4_096, far.count - begin), UInt32(begin))
      far.withUnsafeBufferPointer { far in
        guard let played = far.baseAddress else { return }
        room.play(played + begin, frames: frames, at: time, isFirst: true)
      }
      heard.withUnsafeMutableBufferPointer { heard in
        guard let samples = heard.baseAddress else { return }
        room.add(to: samples + begin, frames: frames, at: time)
      }
    }
    desk = heard
    try SoundFile(channels: [far], sampleRate: 48_000).write(path: folder.file("far.wav"))
    try SoundFile(channels: [desk], sampleRate: 48_000).write(path: folder.file("desk.wav"))
  }

  private func render(
    _ mode: String, channels: String = ", \"channels\": 1", into sink: String = "phone.capture"
  ) throws -> (code: Int32?, errors: String) {
    let text = CallHouse.preset(mode: mode)
      .replacing("[\"Desk:capture_*\"]", with: "[\"Desk:capture_*\"]\(channels)")
    let result = try Program.run(
      [
        "render", folder.write(text, to: "call.json"), "--in", "phone.main=\(folder.file("far.wav"))",
        "--in", "desk=\(folder.file("desk.wav"))", "--out", "\(sink)=\(folder.file("guest.wav"))",
      ], in: folder)
    return (result.code, "\(result.errors)")
  }

  private func guest() throws -> [Float] { try SoundFile(path: folder.file("guest.wav")).channels[0] }

  @Test("The guest of a rendered call hears the echo at least 30 dB lower, twice the same")
  func echo() throws {
    let result = try render("voiceChat")
    #expect(result.code == 0, "\(result.errors)")
    let first = try guest()
    let rest = 144_000..<380_000
    #expect(Decibels.level(desk[rest]) - Decibels.level(first[rest]) >= 30)
    #expect(try render("voiceChat").code == 0)
    #expect(try guest() == first)
  }

  @Test("In the mode measurement the guest hears the microphone, bit for bit")
  func measurement() throws {
    #expect(try render("measurement").code == 0)
    // The capture begins with a ramp.
    #expect(try guest()[2_000...] == desk[2_000...])
  }

  @Test(
    "An input whose channels are unknown, and a capture that is not there, are refused with what would be right"
  )
  func refusals() throws {
    let unknown = try render("voiceChat", channels: "")
    #expect(unknown.code == 65 && unknown.errors.contains("add \"channels\""), "\(unknown)")
    let absent = try render("voiceChat", into: "phon.capture")
    #expect(absent.code == 64 && absent.errors.contains("these have one: phone"), "\(absent)")
  }
}
