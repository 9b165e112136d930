/// The reader thread's side of a head: its memory, and what is written there.
extension DeckHead {
  /// Empties the head and gives it room for some frames; a room of 0 frees its memory.
  mutating func reset(room: Int, channels: Int) {
    frames = 0
    guard room != self.room || channels != channelCount || whole == nil else { return }
    free()
    self = DeckHead()
    guard room > 0 else { return }
    (self.room, channelCount) = (room, channels)
    whole = Self.zeros(room * channels)
  }

  /// Writes frames, for which there must be room.
  mutating func write(interleaved samples: UnsafePointer<Float>, frames count: Int) {
    if whole != nil, !writeWhole(samples, count) { makeFloating() }
    if let floating {
      for channel in 0..<channelCount {
        let place = floating + (channel * room + frames)
        for frame in 0..<count { place[frame] = samples[frame * channelCount + channel] }
      }
    }
    frames += count
  }

  /// Frees the memory. The head must not be used afterwards.
  func free() {
    whole?.deallocate()
    floating?.deallocate()
  }

  /// Writes frames as whole numbers. Returns false if a sample is no whole number of 16 bits, or is -0.
  private func writeWhole(_ samples: UnsafePointer<Float>, _ count: Int) -> Bool {
    guard let whole else { return false }
    for channel in 0..<channelCount {
      let place = whole + (channel * room + frames)
      for frame in 0..<count {
        let sample = samples[frame * channelCount + channel]
        guard let number = Int16(exactly: sample * 32_768),
          DeckSamples.value(of: number).bitPattern == sample.bitPattern
        else { return false }
        place[frame] = number
      }
    }
    return true
  }

  /// Makes floating-point numbers of the whole ones.
  private mutating func makeFloating() {
    guard let whole else { return }
    let made: UnsafeMutablePointer<Float> = Self.zeros(room * channelCount)
    for channel in 0..<channelCount {
      for place in channel * room..<channel * room + frames {
        made[place] = DeckSamples.value(of: whole[place])
      }
    }
    whole.deallocate()
    (self.whole, floating) = (nil, made)
  }

  /// Memory that is written here, so that the audio thread never waits for the system to provide a page.
  private static func zeros<Sample: Numeric>(_ count: Int) -> UnsafeMutablePointer<Sample> {
    let memory = UnsafeMutablePointer<Sample>.allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    return memory
  }
}
