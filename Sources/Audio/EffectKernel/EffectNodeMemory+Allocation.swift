internal import EffectBlocks

extension EffectNodeMemory {
  /// Makes silent memory. It is written here, so that the audio thread never waits for the system to provide a page.
  ///
  /// Chains begin at different places of a page: otherwise all of them would share few lines of the processor's cache, and drive each other out.
  init(channels: Int, sideChannels: Int, place: Int) {
    let shift = place % 4 * 256
    let sizes = [shift, (2 * channels + sideChannels) * Self.longest, channels, channels]
    let count = sizes.reduce(0, +)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count * 4, alignment: 64)
    let floats = memory.initializeMemory(as: Float.self, repeating: 0, count: count)
    func part(_ index: Int) -> UnsafeMutablePointer<Float> { floats + sizes.prefix(index).reduce(0, +) }
    self.init(samples: part(1), offsets: part(2), rises: part(3), allocation: memory)
  }

  func free() { allocation.deallocate() }
}
