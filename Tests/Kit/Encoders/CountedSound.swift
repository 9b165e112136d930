public import SoundFiles

/// A sound in which each sample says its frame and its channel, exactly in 24 bits.
public enum CountedSound {
  private static let scale: Float = 8_388_608

  /// The sample of a frame: the number of the frame, negative on odd channels.
  public static func sample(_ frame: Int, channel: Int = 0) -> Float {
    let value = Float(frame % 8_000_000) / scale
    return channel % 2 == 0 ? value : -value
  }

  /// The frames of a range.
  public static func sound(_ frames: Range<Int>, channels: Int = 2, rate: Int = 48_000) -> SoundFile {
    SoundFile(
      channels: (0..<channels).map { channel in frames.map { sample($0, channel: channel) } },
      sampleRate: rate)
  }
}
