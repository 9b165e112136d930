internal import MixKernel
internal import Synchronization

/// Sends the level of a fader to the audio thread before the law has decided about it; a later plan confirms or reverts it.
///
/// One thread at a time may use it, any but the audio thread. It may outlive its engine; then it has no effect.
public final class EarlySender: @unchecked Sendable {
  private let shared: ExchangeStore

  init(_ shared: ExchangeStore) { self.shared = shared }

  /// A stage as the audio thread knows it.
  public struct Stage: Equatable, Sendable {
    let index: Int32
    let identity: UInt32
    /// Length of the stage's ramp in frames.
    let rampFrames: Int32
  }

  /// Sends a new level for a stage. The audio thread starts a raised cosine to it in its next period.
  ///
  /// Call it only after the decision about the last early level was published: the audio thread follows one at a time.
  /// - Parameter target: wanted amplitude, finite.
  /// - Returns: the level's number, for `MixEngine.decide(early:)`; nil if the audio thread has not yet read the last four levels.
  public func send(_ stage: Stage, to target: Float) -> UInt64? {
    let exchange = shared.pointer
    let last = exchange.pointee.early.written.load(ordering: .relaxed)
    guard last - exchange.pointee.early.read.load(ordering: .acquiring) < EarlyLevels.capacity else {
      return nil
    }
    exchange.pointee.early.places[Int((last + 1) % EarlyLevels.capacity)] = EarlyLevel(
      stage: stage.index, identity: stage.identity, target: target, frames: stage.rampFrames)
    exchange.pointee.early.written.store(last + 1, ordering: .releasing)
    return last + 1
  }
}
