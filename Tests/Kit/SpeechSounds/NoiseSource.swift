/// White noise from -1 to 1, the same for the same seed.
public struct NoiseSource {
  private var state: UInt64

  public init(seed: UInt64 = 1) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  public mutating func next() -> Float {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(1 << 31)
  }
}
