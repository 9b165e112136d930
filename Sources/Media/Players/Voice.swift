import SoundFiles

/// Items of one sample rate that follow each other without a gap, at the player's rate.
///
/// Equal rates take no converter, and the frames are those of the file, bit for bit. One converter runs on through loops and joins.
final class Voice {
  /// What comes after the end of an item.
  enum Next {
    /// The item that follows in the same voice.
    case cursor(Cursor)
    /// It is not known yet.
    case waiting
    case nothing
  }

  private(set) var cursor: Cursor
  private let channels: Int
  private let rate: Int
  private let converter: RateConverter?
  /// The programme's frame at which the voice begins.
  private let base: Int
  /// Frames of the input that come before the voice begins: they settle the converter.
  private let run: Int
  /// Frames of the output that are left of them.
  private var toDrop: Int
  private var consumed = 0
  private var made = 0
  private var input: UnsafeMutablePointer<Float>
  private var (inputStart, inputEnd) = (0, 0)
  private(set) var isAtEnd = false
  private(set) var isWaiting = false

  private static let block = 2_048
  /// At least so many frames settle a converter: its filter is shorter.
  private static let leastRun = 2_048

  /// Begins at a frame of an item.
  ///
  /// - Parameter cursor: makes a cursor at a frame of the file.
  init(
    at frame: Int, fileRate: Int, channels: Int, rate: Int, base: Int, cursor: (Int) throws -> Cursor
  ) rethrows {
    run = fileRate == rate ? 0 : Self.run(before: frame, from: fileRate, to: rate)
    self.cursor = try cursor(frame - run)
    (self.channels, self.rate, self.base) = (channels, rate, base)
    converter = fileRate == rate ? nil : RateConverter(channels: channels, from: fileRate, to: rate)
    toDrop = run * rate / fileRate
    // Without a converter, frames go straight to their place.
    input = .allocate(capacity: converter == nil ? 1 : Self.block * channels)
  }

  deinit { input.deallocate() }

  /// The run before a frame, so long that the output keeps its place to the frame.
  private static func run(before frame: Int, from: Int, to: Int) -> Int {
    let step = from / greatestCommonDivisor(from, to)
    let wanted = (leastRun + step - 1) / step * step
    return min(wanted, frame / step * step)
  }

  static func greatestCommonDivisor(_ one: Int, _ other: Int) -> Int {
    other == 0 ? one : greatestCommonDivisor(other, one % other)
  }

  /// Frames of the output until the end of the present item with all loops; nil if unknown or endless.
  var left: Int? {
    guard let left = cursor.left else { return nil }
    guard converter != nil else { return left }
    let all = Double(consumed + left - run) * Double(rate) / Double(cursor.rate)
    return max(0, Int(all.rounded()) - made)
  }

  /// The programme's frame at which the next frame that is read from the file is heard.
  private var nextFrame: Int {
    guard converter != nil else { return base + made }
    return base + Int((Double(consumed - run) * Double(rate) / Double(cursor.rate)).rounded())
  }

  /// Renders up to `frames` frames. Returns fewer while waiting, or at the end.
  ///
  /// - Parameters:
  ///   - mark: called when a loop or an item begins, with its first frame in the programme.
  ///   - next: asked at the end of an item.
  func render(
    _ samples: UnsafeMutablePointer<Float>, frames: Int, mark: (Int, Cursor) -> Void, next: (Cursor) -> Next
  ) -> Int {
    isWaiting = false
    guard let converter else {
      var done = 0
      while done < frames, !isAtEnd, !isWaiting {
        let count = pull(samples + done * channels, frames: frames - done, mark: mark, next: next)
        done += count
      }
      return done
    }
    var done = 0
    while done < frames {
      if inputStart == inputEnd, !isAtEnd, !isWaiting {
        inputStart = 0
        inputEnd = pull(input, frames: Self.block, mark: mark, next: next)
      }
      let feeds = inputStart < inputEnd
      if !feeds, isWaiting { break }
      let room = toDrop > 0 ? min(toDrop, frames - done) : frames - done
      let (used, out) = converter.process(
        feeds ? UnsafePointer(input + inputStart * channels) : nil, frames: inputEnd - inputStart,
        into: samples + done * channels, room: room)
      inputStart += used
      if toDrop > 0 {
        toDrop -= out
      } else {
        done += out
        made += out
      }
      if !feeds, out == 0 { break }
    }
    return done
  }

  /// Reads frames at the file's rate through loops and joins. Returns 0 at the end, or while waiting.
  private func pull(
    _ samples: UnsafeMutablePointer<Float>, frames: Int, mark: (Int, Cursor) -> Void, next: (Cursor) -> Next
  ) -> Int {
    while true {
      let count = cursor.read(samples, frames: frames)
      if count > 0 {
        consumed += count
        if converter == nil { made += count }
        return count
      }
      if cursor.startNextLoop() {
        mark(nextFrame, cursor)
        continue
      }
      switch next(cursor) {
      case .cursor(let following):
        cursor = following
        mark(nextFrame, cursor)
      case .waiting:
        isWaiting = true
        return 0
      case .nothing:
        isAtEnd = true
        return 0
      }
    }
  }
}
