import CRealtime
import Testing
import VoiceKernel

@Suite("The audio thread's side of voice processing")
struct VoiceNodeTests {
  /// A node with a worker that passes the microphone on, and the sound of each period.
  private struct Rig {
    let store: VoiceNodeStore
    let period: Int
    var microphone: [Float] = []
    var sound: [Float] = []
    /// What the worker got of the loudspeakers.
    var far: [Float] = []

    init(period: Int, rate: Int = 48_000, loudspeakers: Int = 0) {
      self.period = period
      store = VoiceNodeStore(
        VoiceTiming(rate: rate, period: period, algorithm: 0), loudspeakers: loudspeakers)
    }

    /// Runs a period: the audio thread's part, and then the worker's if it is on time.
    mutating func run(
      _ signal: (Int) -> Float, loudspeakers: (Int, Int) -> Float = { _, _ in 0 }, isOnTime: Bool = true,
      frames: Int? = nil, waits: Bool = false
    ) {
      let period = frames ?? period
      let (node, begin) = (store.node, microphone.count)
      mr_rt_enter()
      node.pointee.begin(frames: period, waits: waits)
      for frame in 0..<period { node.pointee.microphone()[frame] = signal(begin + frame) }
      for channel in 0..<store.loudspeakers {
        let samples = node.pointee.loudspeaker(channel)
        for frame in 0..<period { samples[frame] = loudspeakers(channel, begin + frame) }
      }
      node.pointee.end()
      mr_rt_exit()
      microphone += (0..<period).map { signal(begin + $0) }
      sound += UnsafeBufferPointer(start: node.pointee.sound(), count: period)
      if isOnTime { work() }
    }

    mutating func work() {
      var heard: [Float] = []
      let block = store.timing.block
      store.process { near, far, out in
        out.update(from: near, count: block)
        heard += UnsafeBufferPointer(start: far, count: block)
      }
      far += heard
    }

    /// The greatest difference between two samples that follow each other.
    func greatestStep(from frame: Int) -> Float {
      zip(sound[frame...], sound[(frame + 1)...]).map { abs($0 - $1) }.max() ?? 0
    }
  }

  /// A tone of 200 Hz at full scale, whose greatest step is 0.026.
  private static func tone(_ frame: Int) -> Float { Float.sineOfTone(frame) }

  @Test(
    "The capture is the worker's sound, bit for bit, after a constant latency and a fade",
    arguments: [16, 64, 100, 256, 480, 1_024, 8_192], [11_100, 44_100, 48_000])
  func latency(period: Int, rate: Int) {
    var rig = Rig(period: period, rate: rate)
    let (latency, entry) = (rig.store.timing.latency, rig.store.timing.entry)
    for _ in 0..<(4 + (3 * latency + 2 * entry) / period) { rig.run(Self.tone) }
    #expect(rig.store.late == 0)
    #expect(rig.sound[..<latency].allSatisfy { $0 == 0 })
    for frame in latency..<latency + entry {
      #expect(abs(rig.sound[frame]) <= abs(rig.microphone[frame - latency]) + 1e-6)
    }
    // The period in which the fade ends is still multiplied by 1.
    #expect(
      Array(rig.sound[(latency + entry)...]) == Array(rig.microphone[entry..<rig.sound.count - latency]))
  }

  @Test("No shorter latency would do: a worker that needs all of its time is just not late")
  func transport() {
    for period in [64, 100, 256, 480, 1_024] {
      var rig = Rig(period: period)
      // The worker has what fits 2 ms, and at least until the next period begins.
      let spare = max(1, (96 + period - 1) / period) - 1
      for index in 0..<600 {
        rig.run(Self.tone, isOnTime: false)
        if index % (spare + 1) == spare { rig.work() }
      }
      #expect(rig.store.late == 0, "period \(period)")
    }
    // The positive control: twice its time is too late.
    var rig = Rig(period: 64)
    for index in 0..<600 {
      rig.run(Self.tone, isOnTime: false)
      if index % 4 == 3 { rig.work() }
    }
    #expect(rig.store.late > 0)
  }

  @Test("The worker gets the microphone and the mean of the loudspeakers, frame by frame")
  func loudspeakers() {
    var rig = Rig(period: 64, loudspeakers: 2)
    for _ in 0..<60 {
      rig.run(Self.tone, loudspeakers: { channel, frame in Float(frame) * (channel == 0 ? 1 : 3) })
    }
    #expect(rig.far.count == 60 * 64 / 480 * 480)
    #expect(rig.far.enumerated().allSatisfy { $0.element == Float($0.offset) * 2 })
  }

  @Test("A late worker is counted; the microphone is passed on with the same latency, and nothing steps")
  func lateWorker() {
    var rig = Rig(period: 64)
    for index in 0..<400 {
      rig.run(Self.tone, isOnTime: !(100..<220).contains(index))
      if index == 219 { rig.work() }
    }
    let timing = rig.store.timing
    #expect(rig.store.late > 5_000)
    #expect(rig.greatestStep(from: timing.latency + timing.entry) < 0.04)
    // Whether it is processed or not, the sound is the microphone, except in the fades.
    let wrong = (timing.latency + timing.entry..<rig.sound.count).filter {
      abs(rig.sound[$0] - rig.microphone[$0 - timing.latency]) > 1e-5
    }
    #expect(!wrong.isEmpty && wrong.count <= timing.change, "\(wrong.count)")
    // The worker's samples are heard again, bit for bit.
    #expect(
      rig.sound.suffix(1_000) == rig.microphone.dropLast(timing.latency).suffix(1_000))
  }

  @Test(
    "A longer period than the latency was made for is late, and is not waited for; the next short ones are on time"
  )
  func longerPeriod() {
    var rig = Rig(period: 64)
    for _ in 0..<100 { rig.run(Self.tone) }
    let begin = ContinuousClock.now
    for _ in 0..<10 { rig.run(Self.tone, frames: 2_048, waits: true) }
    #expect(ContinuousClock.now - begin < .seconds(2))
    #expect(rig.store.late > 0)
    for _ in 0..<400 { rig.run(Self.tone) }
    #expect(rig.sound.suffix(1_000) == rig.microphone.dropLast(rig.store.timing.latency).suffix(1_000))
  }

  @Test("A worker that hangs until its ring is full loses frames, and nothing else")
  func hungWorker() {
    var rig = Rig(period: 256)
    for index in 0..<800 { rig.run(Self.tone, isOnTime: !(100..<500).contains(index)) }
    let timing = rig.store.timing
    #expect(rig.greatestStep(from: timing.latency + timing.entry) < 0.04)
    #expect(rig.sound.suffix(20_000) == rig.microphone.dropLast(timing.latency).suffix(20_000))
  }

  @Test("A gated capture is silent while the worker is late and the loudspeakers are loud")
  func gatedCapture() {
    var rig = Rig(period: 64, loudspeakers: 1)
    rig.store.setGated(true)
    let loud = 6_400..<30_000
    for index in 0..<900 {
      rig.run(
        Self.tone, loudspeakers: { _, frame in loud.contains(frame) ? Self.tone(frame) : 0 },
        isOnTime: index < 200)
    }
    let timing = rig.store.timing
    #expect(rig.greatestStep(from: timing.latency + timing.entry) < 0.04)
    // The worker is late from frame 12,800 on; the gate needs two fades. Loudspeakers count as loud for 0.3 s.
    #expect(rig.sound[14_000..<44_000].allSatisfy { $0 == 0 })
    #expect(rig.sound[45_200...].contains { abs($0) > 0.9 })
  }
}

extension Float {
  fileprivate static func sineOfTone(_ frame: Int) -> Float {
    // A parabola for each half of the wave is near enough to a sine, and is the same everywhere.
    let place = Float(frame % 240) / 120
    return place < 1 ? 4 * place * (1 - place) : 4 * (place - 1) * (place - 2)
  }
}
