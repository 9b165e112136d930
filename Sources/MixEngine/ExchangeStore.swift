internal import MixKernel

/// What the audio thread and the control side share, freed when neither the engine nor who sends levels early needs it.
final class ExchangeStore {
  let pointer: UnsafeMutablePointer<Exchange>
  private let arena = Arena()

  /// Words of the telemetry ring: more than 20 s of records for 16 stereo sessions, half a second for 300 channels.
  private static let telemetryWords = 1 << 15

  init() {
    let nobody = EarlyLevel(stage: 0, identity: 0, target: 0, frames: 1)
    let early: UnsafeMutablePointer<EarlyLevel> = arena.make(Int(EarlyLevels.capacity), of: nobody)
    let words: UnsafeMutablePointer<UInt32> = arena.make(Self.telemetryWords, of: 0)
    pointer = .allocate(capacity: 1)
    pointer.initialize(
      to: Exchange(
        telemetry: TelemetryRing(capacity: Self.telemetryWords, words: words),
        early: EarlyLevels(places: early)))
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}
