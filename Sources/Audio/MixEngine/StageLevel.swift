/// The wanted gain of a stage, and the ramp to it.
public struct StageLevel: Equatable, Sendable {
  /// Wanted amplitude.
  public var target: Float
  /// Amplitude at which a new stage begins; nil begins at the target.
  public var initial: Float?
  public var ramp: Ramp
  /// Number of the last change. A stage starts a ramp whenever this number changes, so that setting the same value again still ends a
  /// fade.
  public var revision: UInt32
  public init(target: Float, initial: Float? = nil, ramp: Ramp, revision: UInt32) {
    (self.target, self.initial, self.ramp, self.revision) = (target, initial, ramp, revision)
  }
}

/// A gradual change from one amplitude to another.
public struct Ramp: Equatable, Sendable {
  /// Curve of a ramp, and what it is used for (docs/develop/law/osc.md#5-ramps-and-fades).
  public enum Shape: UInt8, Sendable, CaseIterable {
    /// Raised cosine in amplitude: gains, mutes, routes, on and off.
    case raisedCosine
    /// Linear in dB, where silence counts as -90 dB: ducks.
    case decibels
    /// The fader moves at constant speed: fades.
    case fader
    /// Linear in amplitude: fades.
    case linear
    /// The fader moves slowly at both ends: fades.
    case sCurve
    /// Raised cosine in power, so that a sound that moves from one output to another keeps its power: recalls.
    case equalPower
  }
  public var shape: Shape
  /// Length in frames, at least 1; 0 only of `none`.
  public var frames: Int
  /// No ramp: the stage is at its target in the first frame. Only for stages behind which nothing sounds, which would click otherwise.
  public static let none = Ramp(step: .linear)
  public init(_ shape: Shape, frames: Int) { (self.shape, self.frames) = (shape, max(1, frames)) }
  private init(step shape: Shape) { (self.shape, frames) = (shape, 0) }
}
