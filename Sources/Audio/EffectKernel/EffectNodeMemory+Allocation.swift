internal import EffectBlocks

extension EffectNodeMemory {
  /// Makes silent memory. It is written here, so that the audio thread never waits for the system to provide a page.
  ///
  /// Chains begin at different places of a page, and channels at different places of a power of two: otherwise all of them would share few lines
  /// of the processor's cache, and drive each other out.
  init(channels: Int, sideChannels: Int, place: Int) {
    var frames = 1
    while frames <= EffectLimits.latency + Self.longest { frames *= 2 }
    let shift = place % 4 * 256
    let sizes = [
      shift, (2 * channels + sideChannels) * Self.longest, channels * (frames + Self.gap), channels, channels,
      channels, channels,
    ]
    let count = sizes.reduce(0, +)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count * 4, alignment: 64)
    let floats = memory.initializeMemory(as: Float.self, repeating: 0, count: count)
    func part(_ index: Int) -> UnsafeMutablePointer<Float> { floats + sizes.prefix(index).reduce(0, +) }
    self.init(
      samples: part(1), history: part(2), historyFrames: frames, last: part(3), former: part(4),
      offsets: part(5), rises: part(6), allocation: memory)
  }

  func free() { allocation.deallocate() }
}
