internal import MixKernel
internal import MixLoops

/// A sink's delay line, freed when the last plan that uses it is.
final class DelayStore {
  let pointer: UnsafeMutablePointer<DelayLine>
  private let arena = Arena()

  /// Makes a silent line.
  /// - Parameters:
  ///   - longest: greatest delay in frames.
  ///   - fadeFrames: length of the crossfade when the delay changes.
  ///   - delay: delay that is there from the start, without a fade.
  init(longest: Int, fadeFrames: Int, delay: Int) {
    let capacity = longest + blockFrames
    var line = DelayLine(capacity: capacity, samples: arena.make(capacity, of: 0), fadeFrames: fadeFrames)
    (line.delay, line.nextDelay) = (delay, delay)
    // A line that is there from the start has nothing to fade.
    if delay > 0 { line.begun = fadeFrames }
    pointer = arena.make([line])
  }
}
