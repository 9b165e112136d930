/// A decoder of one open file. One thread at a time may use it; reading blocks on the disk.
protocol SoundSource: AnyObject {
  var channelCount: Int { get }
  /// In Hz.
  var sampleRate: Int { get }
  /// The length in frames that the file declares; nil if it declares none. It may be wrong: the end is where reading ends.
  var length: Int? { get }
  var tags: SoundTags { get }

  /// Decodes up to `frames` interleaved frames and returns their number, which is lower at the end only.
  func read(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int

  /// Makes a frame, counted from 0, the next one that is read; false if that is impossible.
  func seek(to frame: Int) -> Bool

  /// The decoder's sentence about what it could not decode; nil if all is well.
  var fault: String? { get }
}
