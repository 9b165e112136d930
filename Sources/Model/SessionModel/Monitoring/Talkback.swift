/// The settings of a session as a talkback: a microphone that speaks to some outputs while its button is pressed (docs/develop/law/solo.md#5-talkback).
public struct Talkback: Equatable, Sendable {
  /// The outputs that hear the microphone by their own names.
  public var outputs: [PortID] = []
  /// The groups whose outputs hear the microphone. A session without outputs and groups is no talkback.
  public var groups: [GroupID] = []
  /// The attenuation of everything else in these outputs while the talkback is open, in dB, -60 to 0.
  public var dim = -20.0
  /// A press that is shorter than so many seconds latches; 0 never latches.
  public var latch = 0.3
  /// Seconds for which the talkback may be open until the alarm goes on; 0 is never.
  public var alarm = 60.0
  public init() {}
}

/// An operator's setting of a talkback.
public enum TalkbackSetting: Equatable, Sendable {
  case outputs([PortID], groups: [GroupID] = [])
  case dim(Double)
  case latch(Double)
  case alarm(Double)
}

/// A talkback whose microphone is open.
public struct OpenTalkback: Equatable, Sendable {
  public let session: SessionID
  /// When the microphone was opened, in seconds of the router's time.
  public let start: Double
  /// When the button that is held was pressed; nil while the talkback is latched.
  public var press: Double?
  /// Whether the release of the button closes the talkback even after a short press: it was latched.
  public var closesOnRelease = false

  public init(_ session: SessionID, at time: Double) { (self.session, start, press) = (session, time, time) }
}
