/// The bulk of what people and presets set of a session; policy copies it with one reference.
public struct SessionSettings: Equatable, Sendable {
  /// Display name.
  public var name: String
  /// The operator's level in dB; policy never writes it.
  public var gain = Control(0)
  /// No surface sets the gain above this, dB.
  public var maximum: Double = 10
  /// Streams in the order they were made.
  public var streams = Registry<StreamID, SessionStream>()
  public var capture = Capture()
  /// The output used whenever it is connected, for categories with one output.
  public var preferredOutput: PortID?
  /// The input used whenever it is connected and the session may use it.
  public var preferredInput: PortID?
  /// What it does to others as a ducker.
  public var ducker = DuckerSettings()
  /// For `activation` signal: dBFS, -80 to 0.
  public var signalThreshold = Control(-45)
  /// For `activation` signal: seconds below the threshold until it ends, 0 to 60.
  public var signalHold = Control(1.5)
  /// Seconds after which it ends without a sign of life; 0 is never.
  public var lease = Control(0)

  init(name: String) { self.name = name }
}

/// Settings are read and written as if they stood in the session.
extension Session {
  @inlinable public var name: String {
    _read { yield settings.value.name }
    _modify { yield &settings.value.name }
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
}
