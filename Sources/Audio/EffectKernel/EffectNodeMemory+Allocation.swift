internal import EffectBlocks

extension EffectNodeMemory {
  /// Makes silent memory. It is written here, so that the audio thread never waits for the system to provide a page.
  init(channels: Int, sideChannels: Int) {
    var frames = 1
    while frames <= EffectLimits.latency + Self.longest { frames *= 2 }
    let count = channels * frames + (2 * channels + sideChannels) * Self.longest + 2 * channels
    let history = UnsafeMutablePointer<Float>.allocate(capacity: count)
    history.initialize(repeating: 0, count: count)
    let sound = history + channels * frames
    let input = sound + channels * Self.longest
    let last = input + (channels + sideChannels) * Self.longest
    self.init(
      sound: sound, input: input, history: history, historyFrames: frames, last: last,
      offsets: last + channels)
  }

  func free() { history.deallocate() }
}
