internal import CRealtime
internal import MixKernel

extension MixEngine {
  /// Plays the audio thread's part for one period: adopts the newest plan and mixes.
  ///
  /// For rendering to files and for tests, never while a real audio thread runs `kernel`.
  /// - Parameters:
  ///   - frames: length of the period, any.
  ///   - sources: one buffer for each of the structure's sources, in its order; nil is silence.
  ///   - sinks: one buffer for each of the structure's sinks, in its order; nil drops the samples.
  public func process(
    frames: Int, sources: [UnsafePointer<Float>?], sinks: [UnsafeMutablePointer<Float>?]
  ) {
    sources.withUnsafeBufferPointer { sources in
      sinks.withUnsafeBufferPointer { sinks in
        period(frames: frames, sources: sources, sinks: sinks)
      }
    }
  }

  /// One period, watched like a real one.
  private func period(
    frames: Int, sources: UnsafeBufferPointer<UnsafePointer<Float>?>,
    sinks: UnsafeBufferPointer<UnsafeMutablePointer<Float>?>
  ) {
    mr_rt_enter()
    kernel.pointee.adopt()
    precondition(sources.count == kernel.pointee.sourceCount(), "one buffer for each source")
    precondition(sinks.count == kernel.pointee.sinkCount(), "one buffer for each sink")
    for (index, buffer) in sources.enumerated() { kernel.pointee.sourceBuffers()[index] = buffer }
    for (index, buffer) in sinks.enumerated() { kernel.pointee.sinkBuffers()[index] = buffer }
    kernel.pointee.run(frames: frames)
    mr_rt_exit()
  }
}
