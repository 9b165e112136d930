/// Memory of the audio thread for the voice processing of a capture. `VoiceNodeStore` makes and frees it.
package struct VoiceMemory: BitwiseCopyable {
  /// The microphone's samples of the present period, and what the capture gets in its place.
  let microphone: UnsafeMutablePointer<Float>
  let sound: UnsafeMutablePointer<Float>
  /// The loudspeakers' samples of the present period, channel by channel, while the worker's ring has no room for them.
  let loudspeakers: UnsafeMutablePointer<Float>
  /// The microphone's last samples, as a circle.
  let history: UnsafeMutablePointer<Float>
  /// Length of the history; a power of two.
  let historyFrames: Int

  package init(
    microphone: UnsafeMutablePointer<Float>, sound: UnsafeMutablePointer<Float>,
    loudspeakers: UnsafeMutablePointer<Float>, history: UnsafeMutablePointer<Float>, historyFrames: Int
  ) {
    (self.microphone, self.sound, self.loudspeakers) = (microphone, sound, loudspeakers)
    (self.history, self.historyFrames) = (history, historyFrames)
  }
}
