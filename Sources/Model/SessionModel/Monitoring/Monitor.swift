/// Whether an output is a monitor output, at which solos are heard, and how (docs/develop/law/solo.md).
public struct Monitor: Equatable, Sendable {
  public var isOn = false
  public var point = SoloPoint.pfl
  /// Whether a solo replaces the others.
  public var isExclusive = false
  /// The level of what is soloed, in dB.
  public var level = Control(0)
  /// The attenuation of the output's own content while anything is soloed, in dB; minus infinity replaces the content.
  public var dim = -Double.infinity
  /// Whether a surface that goes takes its solos along.
  public var endsWithSurface = false
  public init() {}
}

/// The point in the signal path at which a solo takes its sound. An output is always soloed after its fader.
public enum SoloPoint: String, CaseIterable, Sendable {
  /// Before fader and mute, and before whatever silences a session.
  case pfl
  /// After fader, mute and balance.
  case afl
}

/// An operator's setting of a monitor output.
public enum MonitorSetting: Equatable, Sendable {
  case on(Bool)
  case point(SoloPoint)
  case exclusive(Bool)
  case level(ControlMove)
  /// dB; minus infinity replaces the output's own content.
  case dim(Double)
  case lease(Bool)
}
