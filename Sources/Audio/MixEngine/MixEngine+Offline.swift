internal import CRealtime
internal import MixKernel

extension MixEngine {
  /// Processes one period in place of the audio thread: adopts the newest plan and mixes.
  ///
  /// Players and recorders wait for the disk, at most 5 s. It is for rendering to files and for tests. Never call it while a real audio thread runs `kernel`.
  /// - Parameters:
  ///   - frames: length of the period; any length is allowed.
  ///   - sources: one buffer for each source of the structure, in its order; nil is silence. Those of rings and decks are not used.
  ///   - sinks: one buffer for each sink of the structure, in its order; nil drops the samples. Those of rings and taps are not used.
  public func process(
    frames: Int, sources: [UnsafePointer<Float>?], sinks: [UnsafeMutablePointer<Float>?]
  ) {
    sources.withUnsafeBufferPointer { sources in
      sinks.withUnsafeBufferPointer { sinks in
        period(frames: frames, sources: sources, sinks: sinks)
      }
    }
  }

  /// Processes one period. The RealtimeSanitizer watches it as it watches a period of the audio thread.
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
    kernel.pointee.run(frames: frames, waits: true)
    mr_rt_exit()
  }
}
