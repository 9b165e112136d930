import SessionModel
import Synchronization

/// The library's own delay, which depends on the parts and the rate. It is measured once for each, because no version of the library tells it.
enum VoiceLatency {
  private struct Key: Hashable {
    var parts: VoiceProcessing
    var rate: Int
  }

  private static let known = Mutex<[Key: Int]>([:])
  /// The longest delay that is looked for, and the length of the sound, in blocks of 10 ms.
  private static let (longest, length) = (4, 60)

  /// Frames by which a chain delays the microphone.
  ///
  /// - Throws: `VoiceError` as `VoiceChain` does.
  static func frames(of parts: VoiceProcessing, rate: Int) throws(VoiceError) -> Int {
    let key = Key(parts: parts, rate: rate)
    if let frames = known.withLock({ $0[key] }) { return frames }
    let frames = measure(try VoiceChain(parts, rate: rate))
    known.withLock { $0[key] = frames }
    return frames
  }

  /// Sends noise through a chain and finds the delay at which the result is most like the noise.
  private static func measure(_ chain: consuming VoiceChain) -> Int {
    let block = chain.block
    let noise = whiteNoise(length * block)
    var heard = [Float](repeating: 0, count: noise.count)
    let silence = [Float](repeating: 0, count: block)
    for index in 0..<length {
      noise.withUnsafeBufferPointer { noise in
        heard.withUnsafeMutableBufferPointer { heard in
          guard let near = noise.baseAddress, let out = heard.baseAddress else { return }
          chain.process(near + index * block, far: silence, into: out + index * block, delay: 0)
        }
      }
    }
    // The first blocks are left out, in which the parts settle.
    let (begin, count) = (length / 2 * block, (length / 2 - longest) * block)
    func likeness(_ delay: Int) -> Float {
      var sum: Float = 0
      for frame in begin..<begin + count { sum += noise[frame] * heard[frame + delay] }
      return sum
    }
    return (0..<longest * block).max { likeness($0) < likeness($1) } ?? 0
  }

  /// Noise at -20 dBFS, the same each time.
  private static func whiteNoise(_ count: Int) -> [Float] {
    var state: UInt32 = 0x1234_5678
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return (Float(state >> 8) / Float(1 << 23) - 1) * 0.17
    }
  }
}
