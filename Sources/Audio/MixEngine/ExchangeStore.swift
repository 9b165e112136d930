internal import MixKernel

/// The memory that the audio thread and the control side share. It is freed when neither the engine nor its `EarlySender` uses it.
final class ExchangeStore {
  let pointer: UnsafeMutablePointer<Exchange>
  private let arena = Arena()

  /// Words of the telemetry ring: enough for more than 20 s of records with 16 stereo sessions, or half a second with 300 channels,
  /// or with 200 if all are of players and recorders.
  private static let telemetryWords = 1 << 15

  init() {
    let unused = EarlyLevel(stage: 0, identity: 0, target: 0, frames: 1)
    let early: UnsafeMutablePointer<EarlyLevel> = arena.make(Int(EarlyLevels.capacity), of: unused)
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
