/// Where everything is in the shared memory, in bytes from its beginning. Both processes compute it from the longest period.
struct EffectLayout: BitwiseCopyable {
  /// Frames of a block at most, a multiple of 16.
  let frames: Int

  static var bell: Int { @_noLocks get { 0 } }
  static var program: Int { @_noLocks get { 64 } }
  static var queue: Int { @_noLocks get { 128 } }
  static var activities: Int { @_noLocks get { 256 } }
  static var changes: Int { @_noLocks get { 4_096 } }
  static var chains: Int { @_noLocks get { changes &+ EffectLimits.changes &* 32 } }

  // Of a chain.
  static var given: Int { @_noLocks get { 0 } }
  static var made: Int { @_noLocks get { 64 } }
  static var chain: Int { @_noLocks get { 128 } }
  static var effects: Int { @_noLocks get { 192 } }
  static var meters: Int { @_noLocks get { effects &+ EffectLimits.effects &* 32 } }
  /// A power of two would have all chains share few lines of the processor's cache, and drive each other out; likewise in `sampleStride`.
  static var chainStride: Int { @_noLocks get { meters &+ EffectLimits.meters &* 4 } }

  static var samples: Int { @_noLocks get { chains &+ EffectLimits.chains &* chainStride } }

  @_noLocks
  init(frames: Int) { self.frames = (frames &+ 15) & ~15 }

  /// Floats from a channel's circle of input to the next. Behind each circle there is room for the rest of a block, and a distance: otherwise all
  /// channels would share few lines of the processor's cache.
  @_noLocks
  func circleStride() -> Int { EffectLimits.circle &+ frames &+ 64 }

  /// The first float of the blocks that side chains hear.
  @_noLocks
  func sides() -> Int { EffectLimits.channels &* circleStride() }
  /// The first float of the processed blocks.
  @_noLocks
  func outputs() -> Int { sides() &+ 2 &* EffectLimits.sideChannels &* frames }

  /// Bytes of the samples of a chain.
  @_noLocks
  func sampleStride() -> Int { (outputs() &+ 2 &* EffectLimits.channels &* frames) &* 4 &+ 64 }

  /// Bytes of the whole memory.
  @_noLocks
  func size() -> Int { Self.samples &+ EffectLimits.chains &* sampleStride() }
}
