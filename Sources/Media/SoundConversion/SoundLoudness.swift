import Maths
public import SoundFiles
import SystemCalls

/// How loud a sound file is as a whole.
public struct SoundLoudness: Hashable, Sendable {
  /// Integrated loudness in LUFS (EBU R 128); nil if the file is silent.
  public var loudness: Double?
  /// The greatest absolute sample; full scale is 1.
  public var peak: Double

  /// Greatest level in dBFS of a sample after `gain(to:)`.
  public static let ceiling = -1.0

  public init(loudness: Double?, peak: Double) { (self.loudness, self.peak) = (loudness, peak) }

  /// Reads a whole file, at about a thousand times the speed at which it plays. Blocks on the disk.
  ///
  /// - Parameter goesOn: asked after each block; false ends the measurement early.
  /// - Returns: nil if it was ended early.
  /// - Throws: the errors of `SoundFileReader`. A damaged file counts as far as it can be read.
  public static func measure(
    path: String, while goesOn: () -> Bool = { true }
  ) throws(MediaError) -> SoundLoudness? {
    let reader = try SoundFileReader(path: path)
    let meter: LoudnessMeter
    do throws(DynamicLibrary.Missing) {
      meter = try LoudnessMeter(channels: reader.channelCount, sampleRate: reader.sampleRate)
    } catch { throw .unreadable(path: path, reason: error.description) }
    let frames = 16_384
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: frames * reader.channelCount)
    defer { samples.deallocate() }
    while goesOn() {
      let count = reader.read(interleaved: samples, frames: frames)
      meter.add(samples, frames: count)
      if count < frames { return SoundLoudness(loudness: meter.loudness, peak: meter.peak) }
    }
    return nil
  }

  /// The gain in dB that brings the file to a loudness in LUFS, but no sample above `ceiling`; 0 for a silent file.
  public func gain(to wanted: Double) -> Double {
    guard let loudness, peak > 0 else { return 0 }
    return min(wanted - loudness, Self.ceiling - 20 * log10(peak))
  }
}
