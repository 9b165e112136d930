import CSoundTouch
import SystemCalls

/// Plays a stream of frames faster or slower and keeps its pitch, with SoundTouch. The only file that calls the library,
/// which is loaded for the first stretch: it brings the C++ library, 1.2 MB.
///
/// The stretch begins with its input unchanged, so that it can be spliced to the plain sound. The times below keep the pitch of a sine within
/// 2 cents from 55 Hz up (docs/decisions/media-libraries.md). One thread at a time may use it; it works in bursts.
public final class TimeStretch {
  private let stretch: UnsafeMutableRawPointer
  private let calls: Calls
  private let channelCount: Int
  /// How much faster the output is than the input.
  public let tempo: Double
  private var fed = 0
  private var made = 0
  private var hasEnded = false

  /// Rates that a player may have.
  public static let tempos = 0.25...4.0

  /// - Parameters:
  ///   - channels: 1 to 16, of which the library has no more.
  ///   - sampleRate: in Hz.
  ///   - tempo: 0.25 to 4.
  /// - Returns: nil if the library is not installed.
  public init?(channels: Int, sampleRate: Int, tempo: Double) {
    guard let calls = Self.loaded, let made = calls.create() else { return nil }
    (stretch, self.calls, channelCount, self.tempo) = (made, calls, channels, tempo)
    _ = calls.setSampleRate(stretch, UInt32(sampleRate))
    _ = calls.setChannels(stretch, UInt32(channels))
    // The filter would delay the sound, and serves only the library's own change of the rate.
    set(MR_SOUNDTOUCH_ANTI_ALIAS, 0)
    set(MR_SOUNDTOUCH_QUICK_SEEK, 1)
    set(MR_SOUNDTOUCH_SEQUENCE_MS, 60)
    set(MR_SOUNDTOUCH_SEEK_WINDOW_MS, 28)
    set(MR_SOUNDTOUCH_OVERLAP_MS, 12)
    calls.setTempo(stretch, Float(tempo))
  }

  deinit { calls.destroy(stretch) }

  private func set(_ setting: Int, _ value: Int32) {
    _ = calls.setSetting(stretch, Int32(setting), value)
  }

  // MARK: The library

  /// The functions of `SoundTouchDLL.h` that are used. Their types are those of the header.
  private struct Calls: Sendable {
    typealias Handle = UnsafeMutableRawPointer
    var create: @convention(c) () -> Handle?
    var destroy: @convention(c) (Handle?) -> Void
    var setSampleRate: @convention(c) (Handle?, UInt32) -> Int32
    var setChannels: @convention(c) (Handle?, UInt32) -> Int32
    var setTempo: @convention(c) (Handle?, Float) -> Void
    var setSetting: @convention(c) (Handle?, Int32, Int32) -> Int32
    var put: @convention(c) (Handle?, UnsafePointer<Float>?, UInt32) -> Int32
    var receive: @convention(c) (Handle?, UnsafeMutablePointer<Float>?, UInt32) -> UInt32

    init?(_ library: DynamicLibrary) {
      guard
        let create = library.function(
          "soundtouch_createInstance", as: (@convention(c) () -> Handle?).self),
        let destroy = library.function(
          "soundtouch_destroyInstance", as: (@convention(c) (Handle?) -> Void).self),
        let setSampleRate = library.function(
          "soundtouch_setSampleRate", as: (@convention(c) (Handle?, UInt32) -> Int32).self),
        let setChannels = library.function(
          "soundtouch_setChannels", as: (@convention(c) (Handle?, UInt32) -> Int32).self),
        let setTempo = library.function(
          "soundtouch_setTempo", as: (@convention(c) (Handle?, Float) -> Void).self),
        let setSetting = library.function(
          "soundtouch_setSetting", as: (@convention(c) (Handle?, Int32, Int32) -> Int32).self),
        let put = library.function(
          "soundtouch_putSamples", as: (@convention(c) (Handle?, UnsafePointer<Float>?, UInt32) -> Int32).self
        ),
        let receive = library.function(
          "soundtouch_receiveSamples",
          as: (@convention(c) (Handle?, UnsafeMutablePointer<Float>?, UInt32) -> UInt32).self)
      else { return nil }
      (self.create, self.destroy, self.setSampleRate) = (create, destroy, setSampleRate)
      (self.setChannels, self.setTempo, self.setSetting) = (setChannels, setTempo, setSetting)
      (self.put, self.receive) = (put, receive)
    }
  }

  private static let loaded = DynamicLibrary("libSoundTouchDll.so.1").flatMap { Calls($0) }

  /// Whether the library is installed. The first call loads it.
  public static var isAvailable: Bool { loaded != nil }

  /// Greatest number of channels that the library stretches.
  public static let mostChannels = 16

  /// Feeds interleaved frames.
  public func put(_ samples: UnsafePointer<Float>, frames: Int) {
    _ = calls.put(stretch, samples, UInt32(frames))
    fed += frames
  }

  /// Says that the input has ended: the output has `fed / tempo` frames in all.
  public func end() { hasEnded = true }

  /// Takes up to `frames` interleaved frames.
  ///
  /// - Returns: their number; 0 if more input is needed, or after the end.
  public func take(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    guard hasEnded else { return receive(samples, frames: frames) }
    let whole = Int((Double(fed) / tempo).rounded())
    let wanted = min(frames, whole - made)
    var count = receive(samples, frames: wanted)
    // The library's own flush would allocate and fill up with silence of any length.
    let silence = [Float](repeating: 0, count: 4_096 * channelCount)
    while count < wanted {
      _ = calls.put(stretch, silence, 4_096)
      count += receive(samples + count * channelCount, frames: wanted - count)
    }
    return count
  }

  private func receive(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    guard frames > 0 else { return 0 }
    let count = Int(calls.receive(stretch, samples, UInt32(frames)))
    made += count
    return count
  }
}
