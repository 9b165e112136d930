internal import MixKernel
internal import Synchronization

/// Sends levels to the audio thread ahead of the plans that decide on them.
///
/// For one thread at a time, whichever it is, but not the audio thread. It may outlive its engine; then nobody hears it.
public final class EarlySender: @unchecked Sendable {
  private let shared: ExchangeStore

  init(_ shared: ExchangeStore) { self.shared = shared }

  /// A stage as the audio thread knows it.
  public struct Stage: Equatable, Sendable {
    let index: Int32
    let identity: UInt32
    /// Length of its ramp in frames.
    let rampFrames: Int32
  }

  /// Sends a stage to a level by a raised cosine; the audio thread starts at its next period.
  ///
  /// Only when the decision on the last level has been published: the audio thread follows one at a time.
  /// - Parameter target: wanted amplitude, finite.
  /// - Returns: the level's number, for `MixEngine.decide(early:)`; nil if the audio thread does not keep up.
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
