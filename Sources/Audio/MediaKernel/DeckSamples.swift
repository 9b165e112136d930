/// Frames of one channel that follow each other in a deck, as whole numbers of 16 bits or as floating-point numbers; or silence.
struct DeckSamples: BitwiseCopyable {
  private let whole: UnsafePointer<Int16>?
  /// The samples, if the mix can read them where they lie; nil if they are whole numbers, and for silence.
  let floating: UnsafePointer<Float>?

  /// Silence.
  @_noLocks
  init() { (whole, floating) = (nil, nil) }

  @_noLocks
  init(whole: UnsafePointer<Int16>) { (self.whole, floating) = (whole, nil) }

  @_noLocks
  init(floating: UnsafePointer<Float>) { (whole, self.floating) = (nil, floating) }

  /// The sample of a whole number: -32,768 is full scale, as libsndfile reads files of 16 bits.
  @_noLocks
  static func value(of whole: Int16) -> Float { Float(whole) * (1 / 32_768) }

  @_noLocks
  func sample(_ frame: Int) -> Float {
    if let floating { return floating[frame] }
    if let whole { return Self.value(of: whole[frame]) }
    return 0
  }
}
