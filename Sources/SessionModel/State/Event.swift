/// Something that happens to the router: a command of a person or a program, or news of the world.
///
/// Events are plain values, so a log of them replayed gives the same state.
public enum Event: Equatable, Sendable {
  // MARK: Sessions
  case createSession(SessionID, SessionConfiguration)
  case removeSession(SessionID)
  case configure(SessionID, SessionConfiguration)
  /// `notifyingOthers` is legal only on deactivation, and refused here.
  case activate(SessionID, notifyingOthers: Bool = false)
  case deactivate(SessionID, notifyingOthers: Bool)
  case session(SessionID, SessionSetting)
  /// An activation was refused, which by itself changes nothing: the session will be told when its holder has gone.
  case activationRefused(SessionID)
  /// A sign of life for a session with a lease.
  case alive(SessionID)

  // MARK: Interruptions
  case beginInterruption(InterruptionID, InterruptionReason = .default)
  case endInterruption(InterruptionID, shouldResume: Bool = true)
  case ring(InterruptionID, Bool)
  case clearInterruptions

  // MARK: Streams and captures
  /// `placed`: put it on the first channels of the first port, as a stream made over OSC is.
  case createStream(SessionID, StreamID, channels: Int, placed: Bool)
  case removeStream(SessionID, StreamID)
  case stream(SessionID, StreamID, StreamSetting)
  case destination(SessionID, StreamID, PortID, DestinationSetting)
  case captureSession(SessionID, SessionID, CaptureSetting)
  case captureInput(SessionID, PortID, CaptureSetting)

  // MARK: Ports and the router
  case port(Direction, PortID, PortSetting)
  case channel(PortID, Int, ChannelSetting)
  case router(RouterSetting)
  /// Outputs take the delay that aligns them with their group.
  case align([PortID])

  // MARK: The world
  /// A port that a preset names or discovery found; replaces what it is made of and keeps its settings.
  case declarePort(Direction, Port)
  /// A found port whose JACK ports now belong to one that a preset names.
  case forgetPort(Direction, PortID)
  /// The JACK ports that are there now, channel by channel, for each port whose members changed.
  case portsPresent([PortPresence])
  /// Whether a program feeds the session or takes its capture.
  case connected(SessionID, Bool)
  /// Whether a session's input was above -80 dBFS within the last second.
  case sounding(SessionID, Bool)
  /// Whether a session's signal is above its threshold; false after it was below for the hold.
  case signal(SessionID, Bool)
  /// Whether a port is connected to a session's capture.
  case capturing(SessionID, Bool)
  /// Time has passed: `RouterState.nextDeadline` is due.
  case elapsed
  /// The JACK ports that hear a stream's sources directly, not through the router.
  case heardDirectly(SessionID, StreamID, [String])
  case server(ServerState)
  /// What became of the program that a port is bridged by.
  case bridge(Direction, PortID, BridgeCondition)
  /// What is measured of a port: seconds between its JACK ports and the world, and whether an output's limiter works.
  case measured(Direction, PortID, latency: Double, isLimiting: Bool = false)
}

/// How a control is moved.
public enum ControlMove: Equatable, Sendable {
  case set(Double)
  /// Over seconds, along the router's fade curve.
  case fade(Double, over: Double)
  /// Stays where its fade is now.
  case stop
  /// Sets the value and makes it the one `/reset` returns to: what a preset does.
  case store(Double)
}

/// An operator's setting of a session.
public enum SessionSetting: Equatable, Sendable {
  case name(String)
  case gain(ControlMove)
  case maximum(Double)
  case muted(Bool)
  case policy(SharingPolicy)
  case priority(Priority)
  case foreground(Bool)
  case protected(Bool)
  case notifiesOthers(Bool)
  case outputIO(IOState)
  case inputIO(IOState)
  case permission(RecordPermission)
  case captureExclusive(Bool)
  case ignoresAlerts(Bool)
  case outputMuted(Bool)
  case duckExempt(Bool)
  /// As a ducker; nil inherits the router's value. Likewise the next two.
  case duckLevel(ControlMove?)
  case duckAttack(ControlMove?)
  case duckRelease(ControlMove?)
  case activation(Activation)
  case signalThreshold(ControlMove)
  case signalHold(ControlMove)
  case resumption(Resumption)
  case unplug(UnplugConduct)
  case lease(ControlMove)
  case preferredOutput(PortID?)
  case preferredInput(PortID?)
  case portOverride(PortOverride)
  /// Hz; 0 is no wish.
  case preferredRate(Double)
  /// Seconds; 0 is no wish.
  case preferredPeriod(Double)
  case preferredChannels(Direction, Int)
  /// AVAudioSession's input gain, of its input.
  case inputLevel(ControlMove)
  case captureChannels(Int)
  case captureDestinations([PortGlob])
}

/// An operator's setting of a stream.
public enum StreamSetting: Equatable, Sendable {
  case sources([StreamSource])
  case gain(ControlMove)
  case muted(Bool)
  case pan(ControlMove)
  case exclusive(Bool)
  case duckExempt(Bool)
  case never([PortID])
  /// Replaces where the stream goes.
  case route(StreamRoute)
}

/// An operator's setting of one destination.
public enum DestinationSetting: Equatable, Sendable {
  case on(Bool)
  case gain(ControlMove)
  case channels(ChannelSelection)
  case tap(Tap)
}

/// An operator's setting of one contribution to a capture.
public enum CaptureSetting: Equatable, Sendable {
  case on(Bool)
  case gain(ControlMove)
}

/// An operator's setting of a port.
public enum PortSetting: Equatable, Sendable {
  case name(String)
  case gain(ControlMove)
  case maximum(Double)
  case muted(Bool)
  case automatic(Bool)
  case plugged(Bool)
  case delay(ControlMove)
  /// Outputs only; nil aligns it with none.
  case alignmentGroup(String?)
  case ceiling(ControlMove)
  /// Outputs only.
  case duckLimit(ControlMove)
  /// Inputs only.
  case hardwareMuted(Bool)
  /// Chooses an input's data source by its id; nil leaves the choice to the router.
  case source(String?)
}

/// An operator's setting of one channel of an input.
public enum ChannelSetting: Equatable, Sendable {
  case gain(ControlMove)
  case muted(Bool)
}

/// An operator's setting of the router itself.
public enum RouterSetting: Equatable, Sendable {
  case ramp(ControlMove)
  case fadeCurve(FadeCurve)
  case panic(Bool)
  case lock(Bool)
  case meterRate(ControlMove)
  case duckLevel(ControlMove)
  case duckAttack(ControlMove)
  case duckRelease(ControlMove)
  case duckScope(DuckScope)
  case interruptionScope(InterruptionScope)
  case silent(Bool)
  case deactivation(DeactivationConduct)
}

/// What is there of one port.
public struct PortPresence: Equatable, Sendable {
  public var direction: Direction
  public var port: PortID
  /// Full JACK names, channel by channel; nil where a channel's port is away.
  public var members: [String?]
  public init(_ direction: Direction, _ port: PortID, members: [String?]) {
    (self.direction, self.port, self.members) = (direction, port, members)
  }
}
