import SystemCalls

/// Writes a sound file in pieces. One thread at a time may use it; writing blocks on the disk.
public final class SoundFileWriter {
  private var file: OpaquePointer?
  private let path: String
  public let channelCount: Int
  /// Whether the header can be made true in the middle (`updateHeader`).
  private let hasHeader: Bool
  private var interleaved: [Float] = []
  /// For the room on the disk, while libsndfile has the other descriptor; -1 where none is reserved.
  private let room: Int32
  /// The byte up to which room is reserved.
  private var reserved = 0

  /// Creates the file, or empties an existing one, in the format that the ending of its name says (`SoundFileFormat`).
  ///
  /// - Throws: `MediaError.unknownFormat`, `unwritable`.
  public convenience init(path: String, channelCount: Int, sampleRate: Int) throws(MediaError) {
    guard let format = SoundFileFormat(path: path) else { throw .unknownFormat(path: path) }
    try self.init(
      path, [.write, .create, .truncate], format.calls(channels: channelCount), channelCount: channelCount,
      sampleRate: sampleRate)
  }

  /// Writes into an empty file that is open for reading and writing.
  ///
  /// - Parameters:
  ///   - descriptor: taken over, also on failure.
  ///   - path: the name that errors say, and whose ending says the format.
  /// - Throws: `MediaError.unknownFormat`; `unwritable`, also if the format does not fit.
  convenience init(
    descriptor: Int32, path: String, channelCount: Int, sampleRate: Int
  ) throws(MediaError) {
    guard let format = SoundFileFormat(path: path) else {
      System.close(descriptor)
      throw .unknownFormat(path: path)
    }
    if let problem = format.problem(channels: channelCount, sampleRate: sampleRate) {
      System.close(descriptor)
      throw .unwritable(path: path, reason: problem)
    }
    try self.init(
      path, descriptor, format.calls(channels: channelCount), channelCount: channelCount,
      sampleRate: sampleRate)
  }

  /// Creates a new file for a recording.
  ///
  /// - Parameters:
  ///   - texts: what the file says about itself.
  ///   - stamp: for wav, when the recording began.
  /// - Throws: `MediaError.unwritable`, also if there is a file of this name, or if `coding` does not fit.
  public convenience init(
    newPath: String, _ coding: SoundCoding, channelCount: Int, sampleRate: Int,
    texts: SoundTags = SoundTags(),
    stamp: BroadcastStamp? = nil
  ) throws(MediaError) {
    if let problem = coding.problem(channels: channelCount, sampleRate: sampleRate) {
      throw .unwritable(path: newPath, reason: problem)
    }
    try self.init(
      newPath, [.readWrite, .create, .exclusive], coding.calls(channels: channelCount),
      channelCount: channelCount, sampleRate: sampleRate, hasHeader: coding.format == .wav)
    guard let file else { return }
    if let title = texts.title { SoundFileCalls.setText(file, .title, title) }
    if let date = texts.date { SoundFileCalls.setText(file, .date, date) }
    if let comment = texts.comment { SoundFileCalls.setText(file, .comment, comment) }
    if let stamp, coding.format == .wav { SoundFileCalls.setBroadcast(file, stamp) }
  }

  private convenience init(
    _ path: String, _ mode: OpenMode, _ coding: SoundFileCalls.Coding, channelCount: Int, sampleRate: Int,
    hasHeader: Bool = false
  ) throws(MediaError) {
    if let missing = SoundFileCalls.missing { throw .unwritable(path: path, reason: missing.description) }
    let descriptor: Int32
    do throws(SystemError) { descriptor = try System.open(path, mode) } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
    try self.init(
      path, descriptor, coding, channelCount: channelCount, sampleRate: sampleRate, hasHeader: hasHeader)
  }

  /// - Parameter descriptor: taken over, also on failure.
  private init(
    _ path: String, _ descriptor: Int32, _ coding: SoundFileCalls.Coding, channelCount: Int, sampleRate: Int,
    hasHeader: Bool = false
  ) throws(MediaError) {
    if let missing = SoundFileCalls.missing {
      System.close(descriptor)
      throw .unwritable(path: path, reason: missing.description)
    }
    room = (try? System.dup(descriptor)) ?? -1
    guard
      let opened = SoundFileCalls.openForWriting(
        descriptor, coding, channels: channelCount, sampleRate: sampleRate)
    else {
      System.close(room)
      throw .unwritable(path: path, reason: SoundFileCalls.errorText(nil))
    }
    (file, self.path, self.channelCount, self.hasHeader) = (opened, path, channelCount, hasHeader)
  }

  deinit {
    if let file { _ = SoundFileCalls.close(file) }
    System.close(room)
  }

  /// Appends samples, one array for each channel, all of the same length.
  ///
  /// - Throws: `MediaError.unwritable`.
  public func write(_ channels: [[Float]]) throws(MediaError) {
    precondition(channels.count == channelCount)
    let frames = channels.first?.count ?? 0
    interleaved.removeAll(keepingCapacity: true)
    interleaved.reserveCapacity(frames * channelCount)
    for frame in 0..<frames {
      for channel in channels { interleaved.append(channel[frame]) }
    }
    try write(interleaved: interleaved[...])
  }

  /// Appends interleaved samples of whole frames.
  ///
  /// - Throws: `MediaError.unwritable`.
  public func write(interleaved samples: ArraySlice<Float>) throws(MediaError) {
    precondition(samples.count % channelCount == 0)
    let failure: MediaError? = samples.withUnsafeBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return nil }
      do throws(MediaError) {
        try write(interleaved: first, frames: samples.count / channelCount)
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
  }

  /// Appends interleaved frames.
  ///
  /// - Throws: `MediaError.unwritable`, for example when the disk is full; the file then contains what found room.
  public func write(interleaved samples: UnsafePointer<Float>, frames: Int) throws(MediaError) {
    guard let file else { throw .unwritable(path: path, reason: "it is closed") }
    guard SoundFileCalls.write(file, samples, frames: frames) == frames else {
      throw .unwritable(path: path, reason: SoundFileCalls.errorText(file))
    }
  }

  /// Makes the header true for what is written so far, in a format that needs it. If the program is ended, other programs can read the
  /// file up to there.
  public func updateHeader() {
    if hasHeader, let file { SoundFileCalls.updateHeader(file) }
  }

  /// Waits until what was written is on the disk, so that a power cut does not take it.
  public func sync() {
    if let file { SoundFileCalls.writeSync(file) }
  }

  /// Reserves room on the disk for the bytes to come, so that a disk that is filling up is found before it hurts, and a file lies in one piece.
  ///
  /// - Returns: the bytes for which there is room; nil where the file system does not reserve any.
  public func reserve(bytes: Int) -> Int? {
    guard file != nil, let size = try? System.fstat(room).size else { return nil }
    do throws(SystemError) {
      try System.fallocate(room, from: size, count: bytes)
      reserved = max(reserved, size + bytes)
    } catch {
      guard [.noSpace, .quotaExceeded, .fileTooLarge].contains(error.number) else { return nil }
    }
    return max(0, reserved - size)
  }

  /// Bytes of the file on the disk; nil where the system does not tell.
  public var size: Int? { try? System.fstat(room).size }

  /// Finishes the file. Nothing can be written afterwards; calling it again has no effect.
  ///
  /// - Throws: `MediaError.unwritable` if the last samples did not reach the disk.
  public func close() throws(MediaError) {
    guard let open = file else { return }
    file = nil
    // What was reserved and not used.
    defer {
      if reserved > 0, let size = try? System.fstat(room).size { try? System.ftruncate(room, size: size) }
    }
    guard SoundFileCalls.close(open) else {
      throw .unwritable(path: path, reason: "the last samples could not be written")
    }
  }
}
