/// What libFLAC reads from a file, and what it gives: the description of the sound, and decoded frames.
final class FlacFeed {
  /// The bytes that libFLAC reads.
  let part: FilePart
  var channelCount = 0
  var sampleRate = 0
  var length: Int?
  var tags = SoundTags()
  /// Why the sound cannot be decoded further.
  var fault: String?
  /// Decoded and interleaved samples that were not taken yet, from `start` on.
  private var samples: [Float] = []
  private var start = 0

  init(_ part: FilePart) { self.part = part }

  /// Takes a decoded frame; false if it is not of the sound that the file describes.
  func take(
    _ channels: UnsafePointer<UnsafePointer<Int32>?>, channels count: Int, frames: Int, bits: Int
  ) -> Bool {
    guard fault == nil, count == channelCount, (1...32).contains(bits) else {
      fault = fault ?? "the number of channels changes"
      return false
    }
    if start == samples.count { (samples, start) = ([], 0) }
    let (base, scale) = (samples.count, 1 / Float(1 << (bits - 1)))
    samples += repeatElement(0, count: frames * count)
    for channel in 0..<count {
      guard let values = channels[channel] else { return false }
      for frame in 0..<frames { samples[base + frame * count + channel] = Float(values[frame]) * scale }
    }
    return true
  }

  /// Frames that lie ready.
  var ready: Int { channelCount > 0 ? (samples.count - start) / channelCount : 0 }

  /// Moves up to `frames` frames to `target`, or drops them if it is nil. Returns their number.
  func give(_ target: UnsafeMutablePointer<Float>?, frames: Int) -> Int {
    let count = min(frames, ready)
    if let target { for index in 0..<count * channelCount { target[index] = samples[start + index] } }
    start += count * channelCount
    return count
  }

  /// Forgets what was decoded, before a seek.
  func clear() { (samples, start, fault) = ([], 0, nil) }

  /// Takes a comment such as `TITLE=Sky`.
  func describe(_ comment: String) {
    guard let sign = comment.firstIndex(of: "=") else { return }
    let text = String(comment[comment.index(after: sign)...])
    switch comment[..<sign].uppercased() {
    case "TITLE": tags.title = tags.title ?? text
    case "ARTIST": tags.artist = tags.artist ?? text
    case "ALBUM": tags.album = tags.album ?? text
    case "DATE": tags.date = tags.date ?? text
    case "TRACKNUMBER": tags.track = tags.track ?? text
    case "GENRE": tags.genre = tags.genre ?? text
    case "COMMENT", "DESCRIPTION": tags.comment = tags.comment ?? text
    default: break
    }
  }
}
