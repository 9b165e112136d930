/// Reads one link of a chained file in the sample rate and with the channels of the whole sound.
final class LinkReader {
  private let source: any SoundSource
  private let channels: Int
  private let sampleRate: Int
  /// In frames of the whole sound; nil if the link declares none.
  private let length: Int?
  private var converter: RateConverter?
  private var position = 0
  /// Decoded frames in the rate of the link, of which the converter has not yet used those from `used` on.
  private var decoded: [Float] = []
  private var used = 0
  private var isDry = false

  private static let block = 4_096

  /// Frames of the whole sound for frames of a link.
  static func frames(_ frames: Int, of rate: Int, at sampleRate: Int) -> Int {
    Int((Double(frames) * Double(sampleRate) / Double(rate)).rounded(.down))
  }

  init(_ source: any SoundSource, length: Int?, channels: Int, sampleRate: Int) {
    (self.source, self.length, self.channels, self.sampleRate) = (source, length, channels, sampleRate)
    converter = newConverter
  }

  private var newConverter: RateConverter? {
    source.sampleRate == sampleRate
      ? nil : RateConverter(channels: source.channelCount, from: source.sampleRate, to: sampleRate)
  }

  var fault: String? { source.fault }

  /// Reads interleaved frames; fewer only at the end of the link.
  func read(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    let wanted = min(frames, length.map { $0 - position } ?? frames)
    guard wanted > 0 else { return 0 }
    let count = converter.map { convert($0, samples, wanted) } ?? source.read(samples, frames: wanted)
    spread(samples, count)
    position += count
    return count
  }

  /// Fills `samples` with frames of the link's own channels.
  private func convert(_ converter: RateConverter, _ samples: UnsafeMutablePointer<Float>, _ frames: Int)
    -> Int
  {
    var done = 0
    while done < frames {
      if used * source.channelCount >= decoded.count, !isDry { decode() }
      let ready = decoded.count / source.channelCount - used
      let (taken, made) = decoded.withUnsafeBufferPointer {
        converter.process(
          ready > 0 ? $0.baseAddress! + used * source.channelCount : nil, frames: ready,
          into: samples + done * source.channelCount, room: frames - done)
      }
      (used, done) = (used + taken, done + made)
      if isDry, ready == 0, made == 0 { break }
    }
    return done
  }

  private func decode() {
    decoded = Array(unsafeUninitializedCapacity: Self.block * source.channelCount) { buffer, count in
      count = source.read(buffer.baseAddress!, frames: Self.block) * source.channelCount
    }
    used = 0
    isDry = decoded.count < Self.block * source.channelCount
  }

  /// Moves frames of fewer channels to their places, the last one first. One channel is heard on all.
  private func spread(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    let own = source.channelCount
    guard own < channels else { return }
    for frame in (0..<count).reversed() {
      for channel in (0..<channels).reversed() {
        samples[frame * channels + channel] =
          channel < own || own == 1 ? samples[frame * own + min(channel, own - 1)] : 0
      }
    }
  }

  /// Makes a frame of the whole sound, counted from the start of the link, the next one that is read; false if that is impossible.
  func seek(to frame: Int) -> Bool {
    (decoded, used, isDry, position) = ([], 0, false, frame)
    guard converter != nil else { return source.seek(to: frame) }
    // From a frame that both rates have, and so early that the filter knows what was heard before.
    converter = newConverter
    let divisor = Self.commonDivisor(source.sampleRate, sampleRate)
    let (own, whole) = (source.sampleRate / divisor, sampleRate / divisor)
    let step = max(0, (frame - sampleRate / 4) / whole)
    position = step * whole
    guard source.seek(to: step * own) else { return false }
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.block * channels) { dropped in
      while position < frame {
        guard read(dropped.baseAddress!, frames: min(Self.block, frame - position)) > 0 else { return false }
      }
      return true
    }
  }

  private static func commonDivisor(_ first: Int, _ second: Int) -> Int {
    second == 0 ? first : commonDivisor(second, first % second)
  }
}
