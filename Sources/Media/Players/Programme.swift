import SoundConversion
import SoundFiles
import SystemCalls

/// The frames of a player from a place on: items one after another, without a gap or with crossfades, at the player's rate.
///
/// Only the reader thread uses it.
final class Programme {
  /// The player's number of channels, sample rate in Hz, and frames of the crossfade between items.
  struct Format {
    var channels: Int
    var rate: Int
    var crossfade: Int
  }

  /// A place in a list of items.
  struct Place {
    var index: Int
    /// The frame of the item's file.
    var frame: Int
    var loopsDone = 0
    /// Whether it goes back from there, in pieces.
    var isBackward = false
    /// The crossfade that goes on there.
    var crossfade: ProgrammeMark.Crossfade?
  }

  private(set) var marks: [ProgrammeMark] = []
  /// Items that could not be played, and why; the owner takes them.
  var failures: [(PlayerItem, MediaError, isDamage: Bool)] = []
  /// Whether three items in a row failed.
  private(set) var hasGivenUp = false
  private(set) var isAtEnd = false
  /// Whether an item is being opened.
  private(set) var isWaiting = false

  private var items: [PlayerItem]
  /// The index of the item that is read.
  private var index: Int
  private let format: Format
  private let shelf: Shelf
  private var voice: Voice
  /// The item that fades in over the present one.
  private var incoming: Voice?
  /// The present crossfade. It waits for the item that fades out, if that is still to be opened.
  private var fading: ProgrammeMark.Crossfade?
  /// The next item, if it is open and cannot follow in the present voice.
  private var following: Cursor?
  private var made = 0
  private var failuresInRow = 0
  private var scratch: [Float] = []

  /// Frames before the end of an item at which the next one is opened, in seconds.
  private static let foresight = 5

  /// - Parameter reader: for the file of the place's item.
  /// - Throws: the errors of `Cursor`.
  init(
    _ items: [PlayerItem], at place: Place, _ reader: SoundFileReader, _ format: Format, _ shelf: Shelf
  ) throws(MediaError) {
    (self.items, index, self.format, self.shelf) = (items, place.index, format, shelf)
    fading = place.crossfade
    let item = items[place.index]
    let frame = min(place.frame, reader.length ?? place.frame)
    do {
      voice = try Voice(
        at: frame, fileRate: reader.sampleRate, channels: format.channels, rate: format.rate, base: 0
      ) { frame in
        try Cursor(
          item, reader, channels: format.channels, rate: format.rate, frame: frame,
          loopsDone: place.loopsDone,
          isBackward: place.isBackward)
      }
    } catch let error as MediaError {
      throw error
    } catch { preconditionFailure("\(error)") }
    mark(0, voice.cursor, fileFrame: frame)
  }

  /// The file that has taken the place of the one that is read; nil if none has.
  var successor: FileStatus? { voice.cursor.reader.successor }

  /// Gives the readers back to the shelf.
  func close() {
    for cursor in [voice.cursor, incoming?.cursor, following].compactMap({ $0 }) {
      shelf.putBack(cursor.reader, cursor.item.path)
    }
  }

  private func mark(_ frame: Int, _ cursor: Cursor, fileFrame: Int? = nil) {
    marks.append(
      ProgrammeMark(
        frame: frame, item: cursor.item, fileFrame: fileFrame ?? max(0, cursor.frame), fileRate: cursor.rate,
        loopsDone: cursor.loopsDone, duration: cursor.length.map { Double($0) / Double(cursor.rate) },
        tags: cursor.reader.tags, crossfade: fading))
  }

  /// Takes another list of items, in which what was rendered keeps its place.
  ///
  /// - Returns: false if frames were already rendered that the new list does not have.
  func adopt(_ items: [PlayerItem], heard: PlayerItem) -> Bool {
    guard let from = self.items.firstIndex(of: heard), let to = items.firstIndex(of: heard) else {
      return false
    }
    let rendered = self.items[from...max(from, index)]
    guard items[to...].starts(with: rendered), !isAtEnd || items.count - to == rendered.count else {
      return false
    }
    if let following {
      shelf.putBack(following.reader, following.item.path)
      self.following = nil
    }
    (self.items, index) = (items, to + (index - from))
    return true
  }

  /// Renders up to `frames` frames; fewer while an item is being opened, or at the end.
  func render(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    isWaiting = false
    var done = 0
    while done < frames, !isAtEnd, !isWaiting {
      done += piece(samples + done * format.channels, frames: frames - done)
    }
    return done
  }

  private func piece(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    if let fading {
      if incoming == nil { resume(fading) } else { return crossfade(fading, samples, frames: frames) }
      return 0
    }
    var wanted = frames
    if let left = voice.left {
      if left < Self.foresight * format.rate { foresee() }
      if format.crossfade > 0, index + 1 < items.count {
        // Only an item that is open tells how long the fade is.
        if left <= format.crossfade, foresee() {
          isWaiting = true
          return 0
        }
        let fade = following.map(crossfade(into:)) ?? format.crossfade
        if left > fade {
          wanted = min(frames, left - fade)
        } else if left > 0, let cursor = following {
          startCrossfade(cursor, frames: left)
          return 0
        }
      }
    }
    let count = voice.render(
      samples, frames: wanted, mark: { self.mark($0, $1) }, next: { self.next(after: $0) })
    made += count
    if count == 0, voice.isAtEnd {
      // The list may have changed since the item ended, in a crossfade.
      if foresee() {
        isWaiting = true
      } else if let cursor = following {
        start(cursor)
      } else {
        isAtEnd = true
      }
    }
    isWaiting = isWaiting || voice.isWaiting
    return count
  }

  // MARK: The next item

  /// Has the next item opened. Returns whether that takes time.
  @discardableResult
  private func foresee() -> Bool {
    guard following == nil, index + 1 < items.count else { return false }
    switch open() {
    case .cursor(let cursor): following = cursor
    case .waiting: return true
    case .nothing: break
    }
    return false
  }

  /// Opens the item after the present one, or the first after it that can be played.
  private func open() -> Voice.Next {
    while index + 1 < items.count, !hasGivenUp {
      let item = items[index + 1]
      switch shelf.take(item.path) {
      case .opening: return .waiting
      case .failed(let error): skip(item, error)
      case .ready(let reader):
        do throws(MediaError) {
          let cursor = try Cursor(
            item, reader, channels: format.channels, rate: format.rate, frame: 0, loopsDone: 0)
          failuresInRow = 0
          return .cursor(cursor)
        } catch { skip(item, error) }
      }
    }
    return .nothing
  }

  private func skip(_ item: PlayerItem, _ error: MediaError) {
    failures.append((item, error, false))
    items.remove(at: index + 1)
    failuresInRow += 1
    hasGivenUp = failuresInRow >= 3
  }

  /// What comes after the end of an item, for its voice.
  private func next(after cursor: Cursor) -> Voice.Next {
    if let damage = cursor.takeDamage() { failures.append((cursor.item, damage, true)) }
    if following == nil {
      switch open() {
      case .cursor(let cursor): following = cursor
      case let other: return other
      }
    }
    // Another rate needs another converter.
    guard let next = following, format.crossfade == 0, next.rate == cursor.rate else { return .nothing }
    shelf.putBack(cursor.reader, cursor.item.path)
    following = nil
    index += 1
    return .cursor(next)
  }

  private func start(_ cursor: Cursor) {
    shelf.putBack(voice.cursor.reader, voice.cursor.item.path)
    voice = voice(of: cursor)
    (following, index) = (nil, index + 1)
  }

  private func voice(of cursor: Cursor) -> Voice {
    mark(made, cursor)
    return Voice(
      at: 0, fileRate: cursor.rate, channels: format.channels, rate: format.rate, base: made
    ) { _ in cursor }
  }

  // MARK: Crossfades

  /// Frames of the crossfade into an item: at most half of the item, the other half of which has the next crossfade.
  private func crossfade(into cursor: Cursor) -> Int {
    guard let left = cursor.left else { return format.crossfade }
    return Int(min(Double(format.crossfade), Double(left) * Double(format.rate) / Double(cursor.rate) / 2))
  }

  /// Begins to fade the next item in, over the last frames of the present one.
  private func startCrossfade(_ cursor: Cursor, frames: Int) {
    fading = ProgrammeMark.Crossfade(item: voice.cursor.item, end: made + frames, length: frames)
    (following, incoming, index) = (nil, voice(of: cursor), index + 1)
  }

  /// Goes on with a crossfade that began before the programme. The item that fades out is heard no longer if it cannot be opened.
  private func resume(_ fading: ProgrammeMark.Crossfade) {
    let item = fading.item
    self.fading = nil
    switch shelf.take(item.path) {
    case .opening: (self.fading, isWaiting) = (fading, true)
    case .failed: break
    case .ready(let reader):
      guard let length = reader.length, length > 0 else { return }
      // The item ends with the crossfade, after all loops.
      let left = Int((Double(fading.end) * Double(reader.sampleRate) / Double(format.rate)).rounded())
      let loopsLeft = max(0, min(left - 1, item.loops * length) / length)
      let old = try? Voice(
        at: max(0, length - (left - loopsLeft * length)), fileRate: reader.sampleRate,
        channels: format.channels, rate: format.rate, base: 0
      ) { frame in
        try Cursor(
          item, reader, channels: format.channels, rate: format.rate, frame: frame,
          loopsDone: item.loops - loopsLeft)
      }
      if let old { (voice, incoming, self.fading) = (old, voice, fading) }
    }
  }

  private func crossfade(
    _ fading: ProgrammeMark.Crossfade, _ samples: UnsafeMutablePointer<Float>, frames: Int
  ) -> Int {
    guard let fresh = incoming else { return 0 }
    let wanted = min(frames, fading.end - made)
    var count = fresh.render(
      samples, frames: wanted, mark: { self.mark($0, $1) }, next: { self.next(after: $0) })
    if fresh.isAtEnd {
      // A file may be shorter than it says. The old item fades out all the same.
      (samples + count * format.channels).update(repeating: 0, count: (wanted - count) * format.channels)
      count = wanted
    }
    if scratch.count < count * format.channels {
      scratch = [Float](repeating: 0, count: count * format.channels)
    }
    scratch.withUnsafeMutableBufferPointer { old in
      guard let first = old.baseAddress, count > 0 else { return }
      let there = voice.render(first, frames: count, mark: { _, _ in }, next: { _ in .nothing })
      mix(first, into: samples, frames: count, there: there, fading)
    }
    made += count
    if made >= fading.end {
      if let damage = voice.cursor.takeDamage() { failures.append((voice.cursor.item, damage, true)) }
      shelf.putBack(voice.cursor.reader, voice.cursor.item.path)
      (voice, incoming, self.fading) = (fresh, nil, nil)
    }
    isWaiting = isWaiting || fresh.isWaiting
    return count
  }

  /// Crossfades at equal power, for unlike sounds.
  private func mix(
    _ old: UnsafePointer<Float>, into samples: UnsafeMutablePointer<Float>, frames: Int, there: Int,
    _ fading: ProgrammeMark.Crossfade
  ) {
    let done = made - (fading.end - fading.length)
    for frame in 0..<frames {
      let risen = Float(done + frame) / Float(fading.length)
      let (up, down) = (risen.squareRoot(), (1 - risen).squareRoot())
      for channel in 0..<format.channels {
        let place = frame * format.channels + channel
        samples[place] = samples[place] * up + (frame < there ? old[place] * down : 0)
      }
    }
  }
}
