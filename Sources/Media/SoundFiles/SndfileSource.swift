import SystemCalls

/// Decodes with libsndfile: every format but mp3.
final class SndfileSource: SoundSource {
  private let file: OpaquePointer
  private let format: SoundFileCalls.Format
  /// What libsndfile reads in the place of the file; nil for the file itself, which it then closes.
  private let part: FilePart?
  /// Whether the descriptor of the part is closed with this object.
  private let closesPart: Bool

  /// Frames of Vorbis that are decoded and dropped before the wanted one. libsndfile lacks the block before the place of a seek, so that
  /// without them about one seek in eleven begins with up to 1,019 wrong frames (docs/develop/decisions/media-libraries.md). The longest block of
  /// Vorbis has 8,192 frames.
  private static let vorbisRun = 8_192

  /// Takes over an open descriptor, also on failure.
  ///
  /// - Returns: nil if libsndfile does not read the file; `SoundFileCalls.errorText(nil)` says why.
  init?(descriptor: Int32) {
    part = WavView(descriptor: descriptor)
    closesPart = part != nil
    let (opened, format) =
      part.map(SoundFileCalls.openForReading) ?? SoundFileCalls.openForReading(descriptor)
    guard let opened else {
      if closesPart { System.close(descriptor) }
      return nil
    }
    (file, self.format) = (opened, format)
  }

  /// Opens a part of a file, whose descriptor stays the caller's.
  ///
  /// - Returns: nil if libsndfile does not read the part.
  init?(_ part: FilePart) {
    let (opened, format) = SoundFileCalls.openForReading(part)
    guard let opened else { return nil }
    (file, self.format, self.part, closesPart) = (opened, format, part, false)
  }

  deinit {
    _ = SoundFileCalls.close(file)
    if let part, closesPart { System.close(part.descriptor) }
  }

  var channelCount: Int { format.channels }
  var sampleRate: Int { format.sampleRate }
  /// Files whose writer was ended, and cut files, declare about 2^63 frames.
  var length: Int? { format.frames < 1 << 62 ? format.frames : nil }
  var framesSinceMidnight: Int? { SoundFileCalls.broadcastFrame(file) }
  var fault: String? { SoundFileCalls.error(file) }

  var tags: SoundTags {
    var tags = SoundTags()
    tags.title = SoundFileCalls.text(file, .title)
    tags.artist = SoundFileCalls.text(file, .artist)
    tags.album = SoundFileCalls.text(file, .album)
    tags.date = SoundFileCalls.text(file, .date)
    tags.track = SoundFileCalls.text(file, .track)
    tags.genre = SoundFileCalls.text(file, .genre)
    tags.comment = SoundFileCalls.text(file, .comment)
    return tags
  }

  func read(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    max(0, SoundFileCalls.read(file, samples, frames: frames))
  }

  func seek(to frame: Int) -> Bool {
    guard format.isVorbis else { return SoundFileCalls.seek(file, to: frame) }
    let run = min(frame, Self.vorbisRun)
    guard SoundFileCalls.seek(file, to: frame - run) else { return false }
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.vorbisRun * channelCount) { dropped in
      run == 0 || read(dropped.baseAddress!, frames: run) == run
    }
  }
}
