internal import Synchronization

/// What the audio thread and the other threads tell each other about the voice processing of a capture, beside the samples in the rings.
package struct VoiceShare: ~Copyable {
  /// Frames for which the worker was late, since the start.
  let late = Atomic<Int>(0)
  /// Whether silence takes the place of the unprocessed microphone while the loudspeakers are loud.
  let isGated = Atomic<Bool>(false)
  /// Whether the audio thread waits for the worker, as in freewheel.
  let isAwaited = Atomic<Bool>(false)
  /// Whether there is no worker any more, so that nothing may wait for it.
  let isAbandoned = Atomic<Bool>(false)

  package init() {}
}
