import OSC
import SoundFiles
import SpeechSounds
import StageKit
import TestKit
import Testing

/// The shipped presets with calls: what the people at the other end hear of a room whose microphones hear the loudspeakers.
@Suite struct CallEveningTests {
  private static let desk = "Scarlett 2i2 USB"
  private let folder: TemporaryFolder
  /// What is spoken at the other end, and at the first microphone. The first samples are the loudest ones, to be found again.
  private let (far, near): ([Float], [Float])
  private static let (mark, period): (Float, Int) = (0.95, 256)

  init() throws {
    folder = try TemporaryFolder()
    far = [Self.mark] + (try Speech.samples(.man, seconds: 10, rate: 48_000))
    near = [Self.mark] + (try Speech.samples(.woman, seconds: 10, rate: 48_000).map { $0 * 0.68 })
    for (name, samples) in ["far": far, "near": near] {
      try SoundFile(channels: [samples], sampleRate: 48_000).write(path: folder.file("\(name).wav"))
    }
  }

  /// An evening whose interface stands in a room: its microphones hear its loudspeakers. The program "Ear" hears the first microphone.
  private func evening(_ preset: String, _ programs: [String]) async throws -> Evening {
    let evening = try await Evening(
      preset, period: Self.period,
      [
        "client \"\(Self.desk)\" device playback_FL,playback_FR capture_FL,capture_FR",
        "client Ear program in_1 -", "room \"\(Self.desk)\" \"\(Self.desk)\" 480 -30",
      ] + programs)
    try evening.stage.do("connect \"\(Self.desk):capture_FL\" Ear:in_1")
    return evening
  }

  /// What is heard from the first sample of a speech on.
  private struct Line {
    var guest, microphone: [Float]
  }

  /// What a program hears, and the first microphone, while a client plays a speech at its first port, again and again.
  private func hear(
    _ evening: Evening, at program: String, _ speech: String, from client: String
  ) throws -> Line {
    let sounds = try evening.record([program, "Ear", Self.desk]) {
      try evening.stage.do("play \"\(client)\" 1 file \(folder.file("\(speech).wav"))")
      try evening.stage.do("frames 600000")
    }
    try evening.stage.do("play \"\(client)\" 1 silence")
    try evening.settle()
    // The loudspeakers play the other end at its own level, and the microphone is heard before.
    let begin = sounds[1...2].compactMap { $0[0].firstIndex { $0 > 0.8 } }.min()
    let first = try #require(begin, "the speech was not heard")
    return Line(guest: Array(sounds[0][0][first...]), microphone: Array(sounds[1][0][first...]))
  }

  /// Expects that a program hears its own speech at least 30 dB lower than the first microphone does, from the third second on.
  private func expectNoEcho(
    _ evening: Evening, at program: String, from client: String
  ) throws {
    let line = try hear(evening, at: program, "far", from: client)
    let rest = 144_000..<470_000
    let (guest, microphone) = (Decibels.level(line.guest[rest]), Decibels.level(line.microphone[rest]))
    #expect(
      microphone > -60 && microphone - guest >= 30, "\(guest) dBFS of \(microphone) dBFS at \(program)")
  }

  /// Expects that a session's program hears the first microphone's speech at most 6 dB lower than the microphone does.
  private func expectNear(_ evening: Evening, _ session: String, at program: String) throws {
    let line = try hear(
      evening, at: program, "near", from: Self.desk)
    let latency = Int((try evening.surface.number("/session/\(session)/latency/in") * 48_000).rounded())
    let (spoken, heard) = (level(of: near, in: line.microphone), level(of: near, in: line.guest, latency))
    #expect(abs(spoken) < 1 && heard - spoken >= -6, "\(heard) dB of \(spoken) dB at \(program)")
  }

  /// The level in dB at which a speech is heard. jackd delays each loop of programs by a period, and has up to three here.
  private func level(of speech: [Float], in heard: [Float], _ latency: Int = 0) -> Double {
    (0...3).map {
      Likeness.level(of: speech, in: heard, at: latency + $0 * Self.period, range: 96_000..<400_000)
    }.max() ?? 0
  }

  @Test(
    "Conference: the far end hears no echo of itself, and the chair, who is heard in the room too, as the microphone does"
  )
  func conference() async throws {
    let evening = try await evening(
      "conference",
      ["client baresip program - output_1,output_2", "client baresip-01 program input_1,input_2 -"])
    #expect(try evening.surface.text("/session/far/voice/state") == "working")
    // The loudspeakers are louder at the chair's microphone than the threshold of the preset.
    try evening.send("/session/chair/activate/threshold", .float(-20))
    try expectNoEcho(evening, at: "baresip-01", from: "baresip")
    try expectNear(evening, "far", at: "baresip-01")
  }

  @Test("Podcast: guest and caller hear the host and each other, and neither the echo of himself")
  func podcast() async throws {
    let evening = try await evening(
      "podcast",
      [
        "client Guest program send_1,send_2 receive_1,receive_2",
        "client baresip program - output_1,output_2",
        "client baresip-01 program input_1,input_2 -", "client Feed program input_1,input_2 -",
      ])
    for session in ["guest", "caller"] {
      #expect(try evening.surface.text("/session/\(session)/voice/state") == "working")
    }
    try expectNoEcho(evening, at: "Guest", from: "Guest")
    try expectNoEcho(evening, at: "baresip-01", from: "baresip")
    try expectNear(evening, "guest", at: "Guest")
    try expectNear(evening, "caller", at: "baresip-01")
    // The caller's own voice is not processed on its way to the guest.
    let guest = try hear(evening, at: "Guest", "far", from: "baresip").guest
    #expect(abs(level(of: far, in: guest)) < 0.5)
  }
}
