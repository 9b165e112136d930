/// Decodes mp3 with libmpg123, without the encoder's delay and padding where the file states them.
///
/// libsndfile reads mp3 as well, but loses nearly half of a file of variable bit rate without a table of contents
/// (docs/develop/decisions/media-libraries.md).
final class Mpg123Source: SoundSource {
  private let file: OpaquePointer
  let channelCount: Int
  let sampleRate: Int
  let length: Int?
  let tags: SoundTags

  /// The caller keeps the descriptor open for as long as this object lives, and closes it.
  ///
  /// - Parameter depth: how much is read at once. The headers of all frames are read twice, which takes about 4 ms for each minute of music.
  /// - Throws: the library's sentence if it does not read the file.
  init(descriptor: Int32, _ depth: SoundFileReader.Depth) throws(Mpg123Calls.Failure) {
    let file = try Mpg123Calls.open(descriptor)
    do throws(Mpg123Calls.Failure) {
      if depth == .wholeFile {
        try Mpg123Calls.scan(file)
        try Mpg123Calls.requireOneKind(file)
      }
      (channelCount, sampleRate) = try Mpg123Calls.fixFormat(file)
    } catch {
      Mpg123Calls.delete(file)
      throw error
    }
    self.file = file
    length = Mpg123Calls.length(file)
    tags = Mpg123Calls.tags(file)
  }

  deinit { Mpg123Calls.delete(file) }

  private(set) var fault: String?

  func read(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    let (count, failure) = Mpg123Calls.read(file, samples, values: frames * channelCount)
    fault = failure
    return count / channelCount
  }

  func seek(to frame: Int) -> Bool { Mpg123Calls.seek(file, to: frame) }
}
