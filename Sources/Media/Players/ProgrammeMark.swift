import SoundFiles

/// Which place of an item a frame of a programme is.
struct ProgrammeMark: Sendable {
  /// The frame of the programme.
  var frame: Int
  var item: PlayerItem
  /// The frame of the item's file.
  var fileFrame: Int
  var fileRate: Int
  var loopsDone: Int
  /// Length of the item in seconds, without loops; nil if unknown.
  var duration: Double?
  var tags: SoundTags
  /// The crossfade within which the frame lies.
  var crossfade: Crossfade?

  /// A crossfade to another item.
  struct Crossfade: Sendable {
    /// The item that fades out. It ends with the crossfade.
    var item: PlayerItem
    /// The frame of the programme at which it ends.
    var end: Int
    /// In frames.
    var length: Int
  }

  /// The file's frame at a later frame of the programme, at the player's rate.
  func fileFrame(at frame: Double, rate: Int) -> Double {
    Double(fileFrame) + (frame - Double(self.frame)) * Double(fileRate) / Double(rate)
  }
}

/// Which places of items the frames of a deck are.
struct DeckTrack: Sendable {
  var marks: [ProgrammeMark] = []
  /// Frames of the programme for each frame of the deck.
  var tempo = 1.0
  /// The player's sample rate in Hz.
  var rate: Int

  /// The mark for a frame of the deck.
  func mark(at frame: Int) -> ProgrammeMark? {
    let place = Int((Double(frame) * tempo).rounded(.down))
    return marks.last { $0.frame <= place } ?? marks.first
  }

  /// The frame of the deck after the loop or item that a frame belongs to; `Int.max` if none is known.
  func end(at frame: Int) -> Int {
    let place = Int((Double(frame) * tempo).rounded(.down))
    return marks.first { $0.frame > place }.map { Int((Double($0.frame) / tempo).rounded(.down)) } ?? .max
  }

  /// Seconds from the start of the item at a frame of the deck.
  func seconds(at frame: Int) -> Double {
    guard let mark = mark(at: frame) else { return 0 }
    let place = mark.fileFrame(at: Double(frame) * tempo, rate: rate) / Double(mark.fileRate)
    return max(0, mark.duration.map { min($0, place) } ?? place)
  }

  /// Forgets the marks before the one for a frame.
  mutating func forget(before frame: Int) {
    let place = Int((Double(frame) * tempo).rounded(.down))
    if let last = marks.lastIndex(where: { $0.frame <= place }), last > 0 { marks.removeFirst(last) }
  }
}
