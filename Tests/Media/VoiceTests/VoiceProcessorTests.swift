import SessionModel
import SpeechSounds
import StageKit
import Testing
import Voice
import VoiceKernel

@Suite("Voice processing with the library")
struct VoiceProcessorTests {
  @Test(
    "From the third second on, the echo of a call is at least 30 dB lower",
    arguments: [(48_000, 64), (44_100, 256), (16_000, 128)], [0.03, 0.12])
  func echo(server: (rate: Int, period: Int), delay: Double) throws {
    var call = try Call(server.rate, period: server.period, delay: delay)
    let far = try Speech.samples(.man, seconds: 8, rate: server.rate)
    call.run(far: far)
    let rest = 3 * server.rate..<far.count
    #expect(Decibels.level(call.microphone[rest]) > -45)
    let reduction = Decibels.level(call.microphone[rest]) - Decibels.level(call.capture[rest])
    #expect(reduction >= 30, "\(reduction) dB")
    #expect(call.voice.node.late == 0)
  }

  @Test("Double talk costs the near end at most 6 dB, and the near end alone is within 1 dB")
  func nearEnd() throws {
    // Automatic level changes the level on purpose.
    let parts = VoiceProcessing(level: false)
    let rate = 48_000
    let far = try Speech.samples(.man, seconds: 12, rate: rate)
    // 6 dB louder than the echo, once the canceller has learnt the room.
    let near =
      Array(repeating: 0, count: 3 * rate)
      + (try Speech.samples(.woman, seconds: 9, rate: rate).map { $0 * 0.68 })
    var talk = try Call(rate, period: 256, delay: 0.03, parts: parts)
    talk.run(far: far, near: near)
    var alone = try Call(rate, period: 256, delay: 0.03, parts: parts)
    alone.run(far: far.map { _ in 0 }, near: near)
    let latency = talk.voice.node.timing.latency
    let rest = 3 * rate..<far.count - latency
    let wanted = Decibels.level(near[rest])
    let heard = Decibels.level(alone.capture[rest.lowerBound + latency..<rest.upperBound + latency])
    #expect(abs(heard - wanted) <= 1, "\(heard - wanted) dB alone")
    // The part of the capture that is the near end's speech.
    let part = Likeness.level(of: near, in: talk.capture, at: latency, range: rest)
    #expect(part >= -6, "\(part) dB in double talk")
  }

  @Test(
    "The latency that is reported is that of the sound",
    arguments: [8_000, 16_000, 32_000, 44_100, 48_000, 96_000],
    [
      VoiceProcessing(), VoiceProcessing(echo: false), VoiceProcessing(noise: false, level: false),
      VoiceProcessing(echo: false, noise: false, level: false),
    ])
  func latency(rate: Int, parts: VoiceProcessing) throws {
    var call = try Call(rate, period: 256, delay: 0.03, parts: parts, noise: -120)
    let near = try Speech.samples(.woman, seconds: 3, rate: rate)
    call.run(far: near.map { _ in 0 }, near: near)
    let (range, reported) = (rate..<2 * rate, call.voice.node.timing.latency)
    let delays = max(0, reported - rate / 100)..<reported + rate / 100
    let found = Likeness.delay(of: near, in: call.capture, among: delays, range: range)
    // Speech has little above 4 kHz, so its best place is less sharp than that of noise.
    #expect(abs(found - reported) <= 1 + rate / 24_000, "\(found), reported \(reported)")
  }

  @Test("After the delay has jumped by 200 ms, and was told, the echo is low again")
  func jumpingDelay() throws {
    var call = try Call(48_000, period: 256, delay: 0.03)
    let far = try Speech.samples(.man, seconds: 6, rate: 48_000)
    call.run(far: far)
    call.delay = 0.23
    call.voice.setEchoDelay(0.23)
    call.run(far: far)
    let rest = 144_000..<far.count - 480
    let reduction = Decibels.level(call.microphone[rest]) - Decibels.level(call.capture[rest])
    #expect(reduction >= 20, "\(reduction) dB")
  }

  @Test("An echo that comes 90 ms later than the devices say is found")
  func unreportedLatency() throws {
    var call = try Call(48_000, period: 256, delay: 0.12, told: 0.03)
    let far = try Speech.samples(.man, seconds: 8, rate: 48_000)
    call.run(far: far)
    let rest = 192_000..<far.count - 480
    let reduction = Decibels.level(call.microphone[rest]) - Decibels.level(call.capture[rest])
    #expect(reduction >= 30, "\(reduction) dB")
  }

  @Test("A microphone whose clock is 104 ppm slower than the loudspeaker's still has less echo")
  func clocks() throws {
    var call = try Call(48_000, period: 256, delay: 0.03)
    // The same speech with more samples: the bridged microphone hears it at its own rate.
    let played = try Speech.samples(.man, seconds: 10, rate: 48_005)
    let far = try Speech.samples(.man, seconds: 10, rate: 48_000)
    call.run(far: far, played: played)
    let rest = 144_000..<far.count - 480
    let reduction = Decibels.level(call.microphone[rest]) - Decibels.level(call.capture[rest])
    #expect(reduction >= 15, "\(reduction) dB")
    #expect(call.capture.allSatisfy { $0.isFinite })
  }

  @Test("A refused rate says which rates would do", arguments: [11_025, 7_900, 22_050 + 1, 0, -100])
  func refusedRate(rate: Int) {
    #expect(throws: VoiceError.refusedRate(rate)) {
      _ = try VoiceProcessor(VoiceProcessing(), rate: rate, period: 64, loudspeakers: 1)
    }
    #expect("\(VoiceError.refusedRate(11_025))".contains("11025 Hz: it needs a rate from 8,000"))
  }

  @Test("The canceller tells by how much the echo is lower, and that it finds none where it looks")
  func measures() throws {
    let far = try Speech.samples(.man, seconds: 14, rate: 48_000)
    var right = try Call(48_000, period: 256, delay: 0.12)
    right.run(far: far)
    var wrong = try Call(48_000, period: 256, delay: 0.2, told: 0)
    wrong.run(far: far)
    // WebRTC 1.x finds the echo by itself, and gives its enhancement with more care.
    let rest = 480_000..<far.count - 480
    let finds = Decibels.level(wrong.microphone[rest]) - Decibels.level(wrong.capture[rest]) >= 20
    #expect(right.voice.measures.enhancement > (finds ? 3 : 10) && !right.voice.measures.isDiverged)
    #expect(wrong.voice.measures.isDiverged != finds, "\(wrong.voice.measures)")
  }
}

/// A microphone beside a loudspeaker, and what a program gets of the microphone.
private struct Call {
  let voice: VoiceProcessor
  private let (rate, period): (Int, Int)
  /// Seconds from the loudspeaker to the microphone.
  var delay: Double
  /// dBFS.
  private let noise: Double
  private(set) var microphone: [Float] = []
  private(set) var capture: [Float] = []

  init(
    _ rate: Int, period: Int, delay: Double, parts: VoiceProcessing = VoiceProcessing(),
    told: Double? = nil, noise: Double = -65
  ) throws {
    voice = try VoiceProcessor(parts, rate: rate, period: period, loudspeakers: 1)
    voice.setEchoDelay(told ?? delay)
    (self.rate, self.period, self.delay, self.noise) = (rate, period, delay, noise)
  }

  /// Plays the far end's speech in a room while the near end speaks. What was heard before is forgotten.
  ///
  /// - Parameter played: what sounds in the room, if that is not what the canceller knows of the far end.
  mutating func run(far: [Float], near: [Float] = [], played: [Float]? = nil) {
    let played = played ?? far
    let room = EchoRoom(
      delay: Int(delay * Double(rate)), gain: Float(Decibels.amplitude(-9.4)), rate: rate)
    var source = NoiseSource()
    // Uniform noise has a third of the power of its peak.
    let amplitude = Float(Decibels.amplitude(noise)) * Float(3).squareRoot()
    microphone = far.indices.map { (near.indices.contains($0) ? near[$0] : 0) + source.next() * amplitude }
    capture = []
    capture.reserveCapacity(far.count)
    var frame = 0
    while frame + period <= far.count {
      run(far, played, from: frame, in: room)
      frame += period
    }
    // The last period would be shorter.
    capture += Array(repeating: 0, count: far.count - capture.count)
  }

  private mutating func run(
    _ far: [Float], _ played: [Float], from frame: Int, in room: borrowing EchoRoom
  ) {
    let (node, time) = (voice.node.node, UInt32(frame))
    node.pointee.begin(frames: period, waits: true)
    far.withUnsafeBufferPointer { far in
      guard let known = far.baseAddress.map({ $0 + frame }) else { return }
      node.pointee.loudspeaker(0).update(from: known, count: period)
    }
    played.withUnsafeBufferPointer { played in
      guard let sound = played.baseAddress.map({ $0 + frame }) else { return }
      room.play(sound, frames: period, at: time, isFirst: true)
    }
    microphone.withUnsafeMutableBufferPointer { microphone in
      guard let heard = microphone.baseAddress.map({ $0 + frame }) else { return }
      room.add(to: heard, frames: period, at: time)
      node.pointee.microphone().update(from: heard, count: period)
    }
    node.pointee.end()
    capture += UnsafeBufferPointer(start: node.pointee.sound(), count: period)
  }
}
