import Glibc

/// How much of a sound is in another one.
public enum Likeness {
  /// The level in dB, relative to `sound`, at which `sound` is in `heard`, later by `delay` frames: that of the best fit.
  public static func level(of sound: [Float], in heard: [Float], at delay: Int, range: Range<Int>) -> Double {
    var (product, power) = (0.0, 0.0)
    for frame in range {
      product += Double(heard[frame + delay]) * Double(sound[frame])
      power += Double(sound[frame]) * Double(sound[frame])
    }
    return 20 * log10(max(1e-9, product / power))
  }

  /// The delay in frames, among some, at which `sound` is most like `heard`.
  public static func delay(of sound: [Float], in heard: [Float], among delays: Range<Int>, range: Range<Int>)
    -> Int
  {
    delays.max {
      level(of: sound, in: heard, at: $0, range: range) < level(of: sound, in: heard, at: $1, range: range)
    } ?? 0
  }
}
