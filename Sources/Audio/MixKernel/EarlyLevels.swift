package import Synchronization

/// A level for a stage that is sent before a plan decides about it.
package struct EarlyLevel: BitwiseCopyable {
  package var stage: Int32
  /// The stage's identity, because another stage may have its index by now.
  package var identity: UInt32
  /// Wanted amplitude.
  package var target: Float
  /// Length of the ramp in frames, at least 1.
  package var frames: Int32

  package init(stage: Int32, identity: UInt32, target: Float, frames: Int32) {
    (self.stage, self.identity, self.target, self.frames) = (stage, identity, target, frames)
  }
}

/// A ring of early levels from one control thread to the audio thread. Levels are numbered from 1.
///
/// The audio thread follows a level only when it has adopted the plan that decides about the level before. So it needs to remember only
/// one.
package struct EarlyLevels: ~Copyable {
  /// Number of places, a power of two.
  package static let capacity: UInt64 = 4
  /// Level n is at index n modulo the capacity.
  package let places: UnsafeMutablePointer<EarlyLevel>
  /// Numbers of the last level that was written and of the last one that was read.
  package let written = Atomic<UInt64>(0)
  package let read = Atomic<UInt64>(0)

  package init(places: UnsafeMutablePointer<EarlyLevel>) { self.places = places }
}
