internal import MixKernel
internal import MixLoops

/// The delay line of a sink. It is freed together with the last plan that uses it.
final class DelayStore {
  let pointer: UnsafeMutablePointer<DelayLine>
  private let arena = Arena()

  /// Makes a silent line.
  /// - Parameters:
  ///   - longest: greatest delay in frames.
  ///   - fadeFrames: length in frames of the crossfade when the delay changes.
  ///   - delay: first delay in frames, which begins without a fade.
  init(longest: Int, fadeFrames: Int, delay: Int) {
    let capacity = longest + blockFrames
    var line = DelayLine(capacity: capacity, samples: arena.make(capacity, of: 0), fadeFrames: fadeFrames)
    (line.delay, line.nextDelay) = (delay, delay)
    // A line that begins together with its sink has no earlier sound to fade from.
    if delay > 0 { line.begun = fadeFrames }
    pointer = arena.make([line])
  }
}
