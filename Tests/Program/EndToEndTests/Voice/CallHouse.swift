import OSC
import SoundFiles
import SpeechSounds
import StageKit
import TestKit

/// A house with a telephone: its guest is heard at the loudspeaker "PA", and the microphone "Desk" hears that loudspeaker.
///
/// The program "Guest" plays what the guest says. The program "Line" records what the guest hears, and beside it the microphone itself.
struct CallHouse {
  let house: House
  private let rate: Int
  private let folder: TemporaryFolder
  /// Frames from the loudspeaker to the microphone, of which the devices declare a part.
  static let echo = (delay: 1_440, declared: (playback: 800, capture: 500))

  /// The one sample at the microphone that says where the speech begins; it repeats every 10 s.
  static let mark: Float = 1.9

  /// - Parameters:
  ///   - delay: frames from the loudspeaker to the microphone.
  ///   - declared: frames of this that the devices declare.
  init(
    mode: String = "voiceChat", keys: String = "", delay: Int = echo.delay,
    declared: (playback: Int, capture: Int) = echo.declared, guest: String = "file",
    period: Int = 256, rate: Int = 48_000, flags: [String] = []
  ) async throws {
    self.rate = rate
    folder = try TemporaryFolder()
    let (far, near) = (folder.file("far.wav"), folder.file("near.wav"))
    try Self.writeSpeech(.man, at: far, rate: rate)
    var noise = NoiseSource()
    let amplitude = Float(Decibels.amplitude(-60))
    let desk = (0..<2 * rate).map { _ in noise.next() * amplitude }
    try SoundFile(channels: [desk], sampleRate: rate).write(path: near)
    house = try await House(
      Self.preset(mode: mode, keys: keys),
      programs: [
        "device PA 2 0 \(declared.playback) 0", "device Desk 0 1 0 \(declared.capture)", "device Line 2 0",
        guest == "file" ? "source Guest file \(far)" : "source Guest 1 \(guest)", "play Desk 1 file \(near)",
        // Both channels of the loudspeaker play the same, which is 6 dB louder than one.
        "room Desk PA \(delay) -15.4",
      ], period: period, rate: rate)
    try house.connect("Desk:capture_1", to: "Line:playback_2")
  }

  static func preset(mode: String, keys: String = "") -> String {
    """
    { "multiroute": 1, "ports": {
      "pa": { "type": "lineOut", "outputs": ["PA:playback_*"], "channels": 2, "ceiling": 0 },
      "phones": { "type": "headphones", "outputs": ["Headphones:playback_*"], "channels": 2, "ceiling": 0 },
      "desk": { "type": "headsetMic", "inputs": ["Desk:capture_*"] } },
    "sessions": { "phone": { "category": "playAndRecord", "mode": "\(mode)", "options": ["mixWithOthers"],
      "activate": "start", "output": "pa", \(keys)
      "streams": { "main": { "channels": 1, "from": ["Guest:out_1"] } },
      "capture": { "channels": 1, "to": ["Line:playback_1"] } } } }
    """
  }

  /// Plays speech at the microphone, 6 dB louder than the echo, again and again from the mark on. Returns the speech.
  func talk() throws -> [Float] {
    let speech = try Speech.samples(.woman, seconds: 10, rate: rate)
    var desk = speech.map { $0 * 0.68 }
    desk[0] = Self.mark
    try SoundFile(channels: [desk], sampleRate: rate).write(path: folder.file("speech.wav"))
    try house.stage.do("play Desk 1 file \(folder.file("speech.wav"))")
    return speech
  }

  /// Waits until the router reports a state of the voice processing.
  func await(_ state: String) throws { try Self.await(state, at: house.surface) }

  static func await(_ state: String, at surface: ControlSurface) throws {
    let address = "/session/phone/voice/state"
    let isThere = try surface.subscribe(address).contains {
      $0.address == address && $0.arguments.first?.text == state
    }
    if !isThere { try surface.wait(for: address) { $0.arguments.first?.text == state } }
    try surface.send("/unsubscribe", .string(address))
  }

  /// Turns a part of the processing off, and waits until the processing without it has taken the place of the one before.
  func turnOff(_ part: String) throws {
    let (surface, address) = (house.surface, "/session/phone/voice/state")
    _ = try surface.subscribe(address)
    try surface.send("/session/phone/voice/\(part)", 0)
    try surface.wait(for: address) { $0.arguments.first?.text != "working" }
    try surface.wait(for: address) { $0.arguments.first?.text == "working" }
    try surface.send("/unsubscribe", .string(address))
  }

  /// Waits until the echo has a delay in frames.
  func await(delay frames: Int) throws {
    try self.await("/session/phone/voice/delay") { abs($0 - Double(frames) / 48_000) < 1e-6 }
  }

  /// Waits until a number meets a condition.
  func await(_ address: String, where condition: (Double) -> Bool) throws {
    func isMet(_ message: OSCMessage) -> Bool {
      guard message.address == address, case .float(let number)? = message.arguments.first else {
        return false
      }
      return condition(Double(number))
    }
    if try !house.surface.subscribe(address).contains(where: isMet) {
      try house.surface.wait(for: address, where: isMet)
    }
    try house.surface.send("/unsubscribe", .string(address))
  }

  /// Writes 10 s of speech as a sound file.
  static func writeSpeech(_ voice: Speech.Voice, at path: String, rate: Int = 48_000) throws {
    let samples = try Speech.samples(voice, seconds: 10, rate: rate)
    try SoundFile(channels: [samples], sampleRate: rate).write(path: path)
  }

  /// What the guest hears, and the microphone, in some seconds of the freewheeling server.
  func hear(seconds: Int, while body: () throws -> Void = {}) throws -> (guest: [Float], desk: [Float]) {
    let line = try house.hear("Line") {
      try body()
      try house.stage.do("frames \(seconds * rate)")
    }
    return (line[0], line[1])
  }
}
