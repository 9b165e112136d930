package import Synchronization

/// A level on its way to a stage ahead of the plan that decides on it.
package struct EarlyLevel: BitwiseCopyable {
  package var stage: Int32
  /// Who the stage is: its index may be another one's by now.
  package var identity: UInt32
  /// Wanted amplitude.
  package var target: Float
  /// Length of the ramp in frames, at least 1.
  package var frames: Int32

  package init(stage: Int32, identity: UInt32, target: Float, frames: Int32) {
    (self.stage, self.identity, self.target, self.frames) = (stage, identity, target, frames)
  }
}

/// Early levels on their way to the audio thread, numbered from 1.
///
/// The audio thread follows one only when it has the plan that decides on the one before, so that it has to remember one.
package struct EarlyLevels: ~Copyable {
  /// Places; a power of two.
  package static let capacity: UInt64 = 4
  /// Level n is at n modulo the capacity.
  package let places: UnsafeMutablePointer<EarlyLevel>
  /// Numbers of the last one that was written and the last one that was read.
  package let written = Atomic<UInt64>(0)
  package let read = Atomic<UInt64>(0)

  package init(places: UnsafeMutablePointer<EarlyLevel>) { self.places = places }
}
