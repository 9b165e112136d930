import CRealtime
import EffectBlocks
import EffectKernel

/// A chain with the test in place of the effects program, which multiplies each sample and may delay it.
struct Rig {
  let memory: EffectMemoryStore
  let store: EffectNodeStore
  let period: Int
  var gain: Float = 1
  /// Frames by which the program delays the sound, and says so.
  var latency = 0
  var revision = 1
  /// Whether the side chain hears anything.
  var hearsSide = true
  /// What others do while the audio thread mixes.
  var meanwhile: () -> Void = {}
  /// What the program makes of a sample behind its gain.
  var spoil: (Float) -> Float = { $0 }
  /// All input and all sound so far, of channel 0 and of the last one.
  private(set) var input: [Float] = []
  private(set) var sound: [Float] = []
  private(set) var lastSound: [Float] = []
  /// What the program got from the side chain.
  private(set) var side: [Float] = []

  /// Frames of the fade.
  static let change = 96

  init(period: Int, channels: Int = 2, sideChannels: Int = 0, longest: Int? = nil) throws {
    self.period = period
    memory = try EffectMemoryStore(frames: longest ?? period)
    store = EffectNodeStore(
      memory, place: 3, channels: channels, sideChannels: sideChannels, period: period, change: Self.change)
    store.setRevision(1)
  }

  var frame: Int { input.count }

  /// Runs a period: the audio thread's part, and then the program's if it is on time.
  mutating func run(
    _ signal: (Int) -> Float, isOnTime: Bool = true, frames: Int? = nil, waits: Bool = false
  ) {
    let (node, begin, count) = (store.node, input.count, frames ?? period)
    let (channels, sides) = (store.channels, store.sideChannels)
    // Channel c is the signal times 1 / (c + 1), the side chain twice the signal.
    let samples = (0..<count).map { signal(begin + $0) }
    mr_rt_enter()
    node.pointee.begin(frames: count, waits: waits)
    meanwhile()
    for channel in 0..<channels {
      let place = node.pointee.input(channel)
      for frame in 0..<count { place[frame] = samples[frame] / Float(channel + 1) }
    }
    for channel in 0..<(hearsSide ? sides : 0) {
      let place = node.pointee.input(channels + channel)
      for frame in 0..<count { place[frame] = 2 * samples[frame] }
    }
    node.pointee.end(hearsSide: sides > 0 && hearsSide)
    node.pointee.ask()
    mr_rt_exit()
    input += samples
    sound += UnsafeBufferPointer(start: node.pointee.sound(0), count: count)
    lastSound += UnsafeBufferPointer(start: node.pointee.sound(channels - 1), count: count)
    if isOnTime { work() }
  }

  mutating func work() {
    let (blocks, number) = (memory.exchange.chain(3), memory.exchange.asked())
    guard let frames = blocks.given(period: number)?.frames else { return }
    let begin = input.count - frames
    for channel in 0..<store.channels {
      let out = blocks.output(channel: channel, period: number)
      for frame in 0..<frames {
        let place = begin + frame - latency
        let sample = place < 0 ? 0 : input[place] / Float(channel + 1)
        out[frame] = spoil(gain * sample)
      }
    }
    if store.sideChannels > 0 {
      side += UnsafeBufferPointer(start: blocks.side(channel: 0, period: number), count: frames)
    }
    blocks.finish(period: number, frames: frames, latency: latency, revision: revision)
  }

  /// The input, delayed.
  func dry(_ delay: Int, from first: Int) -> [Float] {
    (first..<sound.count).map { $0 < delay ? 0 : input[$0 - delay] }
  }

  /// The greatest difference between two samples that follow each other.
  func greatestStep(from frame: Int = 0) -> Float {
    zip(sound[frame...], sound[(frame + 1)...]).map { abs($0 - $1) }.max() ?? 0
  }
}
