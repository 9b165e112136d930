/// The reader thread's side of a head: its memory, and what is written there.
extension DeckHead {
  /// Empties the head and gives it room for some frames; a room of 0 frees its memory.
  mutating func reset(room: Int, channels: Int) {
    frames = 0
    guard room != self.room || channels != channelCount else { return }
    free()
    self = DeckHead()
    guard room > 0 else { return }
    (self.room, channelCount) = (room, channels)
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: room * channels)
    // Memory that is written here, so that the audio thread never waits for the system to provide a page.
    memory.initialize(repeating: 0, count: room * channels)
    samples = memory
  }

  /// Writes frames, for which there must be room.
  mutating func write(interleaved new: UnsafePointer<Float>, frames count: Int) {
    guard let samples else { return }
    for channel in 0..<channelCount {
      let place = samples + (channel * room + frames)
      for frame in 0..<count { place[frame] = new[frame * channelCount + channel] }
    }
    frames += count
  }

  /// Frees the memory. The head must not be used afterwards.
  func free() { samples?.deallocate() }
}
