/// The settings of a session that only operators and presets change. They are behind one reference, so that copying a session is cheap.
public struct SessionSettings: Equatable, Sendable {
  /// Display name.
  public var name: String
  /// The colour on surfaces; nil for none.
  public var color: Color?
  /// The operator's level in dB; the policy never changes it.
  public var gain = Control(0)
  /// Highest gain in dB that a command may set.
  public var maximum: Double = 10
  /// The streams, in the order in which they were created.
  public var streams = Registry<StreamID, SessionStream>()
  public var capture = Capture()
  /// The output that the session uses whenever that is available; for categories with one output.
  public var preferredOutput: PortID?
  /// The input that the session uses whenever that is available and allowed.
  public var preferredInput: PortID?
  /// How deep and how fast the session ducks others.
  public var ducker = DuckerSettings()
  /// For `activation` signal: the level that activates the session, in dBFS, -80 to 0.
  public var signalThreshold = Control(-45)
  /// For `activation` signal: seconds below the threshold after which the session ends, 0 to 60.
  public var signalHold = Control(1.5)
  /// Seconds without a sign of life after which the session ends; 0 is never.
  public var lease = Control(0)
  /// Seconds on air without sound after which the silence is dead air, 0 to 3,600; 0 is never.
  public var quietTime = Control(0)
  /// Which parts of voice processing are on.
  public var voice = VoiceSwitches()

  init(name: String) { self.name = name }
}

/// Makes each setting a property of the session.
extension Session {
  @inlinable public var name: String {
    _read { yield settings.value.name }
    _modify { yield &settings.value.name }
  }
  @inlinable public var color: Color? {
    _read { yield settings.value.color }
    _modify { yield &settings.value.color }
  }
  @inlinable public var gain: Control {
    _read { yield settings.value.gain }
    _modify { yield &settings.value.gain }
  }
  @inlinable public var maximum: Double {
    _read { yield settings.value.maximum }
    _modify { yield &settings.value.maximum }
  }
  @inlinable public var streams: Registry<StreamID, SessionStream> {
    _read { yield settings.value.streams }
    _modify { yield &settings.value.streams }
  }
  @inlinable public var capture: Capture {
    _read { yield settings.value.capture }
    _modify { yield &settings.value.capture }
  }
  @inlinable public var preferredOutput: PortID? {
    _read { yield settings.value.preferredOutput }
    _modify { yield &settings.value.preferredOutput }
  }
  @inlinable public var preferredInput: PortID? {
    _read { yield settings.value.preferredInput }
    _modify { yield &settings.value.preferredInput }
  }
  @inlinable public var ducker: DuckerSettings {
    _read { yield settings.value.ducker }
    _modify { yield &settings.value.ducker }
  }
  @inlinable public var signalThreshold: Control {
    _read { yield settings.value.signalThreshold }
    _modify { yield &settings.value.signalThreshold }
  }
  @inlinable public var signalHold: Control {
    _read { yield settings.value.signalHold }
    _modify { yield &settings.value.signalHold }
  }
  @inlinable public var lease: Control {
    _read { yield settings.value.lease }
    _modify { yield &settings.value.lease }
  }
  @inlinable public var quietTime: Control {
    _read { yield settings.value.quietTime }
    _modify { yield &settings.value.quietTime }
  }
  @inlinable public var voice: VoiceSwitches {
    _read { yield settings.value.voice }
    _modify { yield &settings.value.voice }
  }
}
