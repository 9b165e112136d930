/// Decodes FLAC in Ogg with libFLAC, since libsndfile 1.2.0 fails on such files.
final class OggFlacSource: SoundSource {
  private let feed: FlacFeed
  private let decoder: FlacCalls.Decoder
  private var isAtEnd = false

  init(_ part: FilePart) throws(FlacCalls.Failure) {
    feed = FlacFeed(part)
    decoder = try FlacCalls.open(feed)
  }

  deinit { FlacCalls.delete(decoder) }

  var channelCount: Int { feed.channelCount }
  var sampleRate: Int { feed.sampleRate }
  var length: Int? { feed.length }
  var tags: SoundTags { feed.tags }
  var fault: String? { feed.fault }

  func read(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    var done = 0
    while done < frames, fill() { done += feed.give(samples + done * channelCount, frames: frames - done) }
    return done
  }

  /// Decodes until frames lie ready; false at the end.
  private func fill() -> Bool {
    while feed.ready == 0 {
      guard !isAtEnd, feed.fault == nil else { return false }
      isAtEnd = !FlacCalls.processSingle(decoder)
    }
    return true
  }

  func seek(to frame: Int) -> Bool {
    feed.clear()
    isAtEnd = false
    if let length, frame < length, FlacCalls.seekAbsolute(decoder, to: frame) { return true }
    // From the start, where no length is known, and in damaged files.
    feed.clear()
    guard FlacCalls.reset(decoder) else { return false }
    var left = frame
    while left > 0, fill() { left -= feed.give(nil, frames: left) }
    return left == 0
  }
}
