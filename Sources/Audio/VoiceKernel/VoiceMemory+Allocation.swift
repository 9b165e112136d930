internal import Rings

extension VoiceMemory {
  /// Makes silent memory. It is written here, so that the audio thread never waits for the system to provide a page.
  init(latency: Int, loudspeakers channels: Int) {
    var frames = SampleRing.longestPiece
    while frames < latency + SampleRing.longestPiece { frames *= 2 }
    let count = frames + (2 + channels) * SampleRing.longestPiece
    let history = UnsafeMutablePointer<Float>.allocate(capacity: count)
    history.initialize(repeating: 0, count: count)
    let microphone = history + frames
    let sound = microphone + SampleRing.longestPiece
    self.init(
      microphone: microphone, sound: sound, loudspeakers: sound + SampleRing.longestPiece, history: history,
      historyFrames: frames)
  }

  func free() { history.deallocate() }
}
